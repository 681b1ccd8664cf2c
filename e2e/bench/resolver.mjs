// What one HEAD of a file costs, against the least a request can cost here.
import { cpuSeconds, load, median, row } from './measure.mjs'
import { helper } from './processes.mjs'

export async function resolver(server, repo, token) {
  const hello = await helper('hello.mjs')
  const perRequest = async (pid, request) => {
    await load({ ...request, total: 3000, lanes: 8 })
    const costs = []
    for (let i = 0; i < 5; i++) {
      const before = cpuSeconds(pid)
      await load({ ...request, total: 6000, lanes: 8 })
      costs.push(((cpuSeconds(pid) - before) / 6000) * 1e6)
    }
    return median(costs)
  }
  const bare = await perRequest(hello.child.pid, { url: hello.url, method: 'GET', status: 200 })
  const head = await perRequest(server.pid, {
    url: `${server.url}/${repo}/resolve/main/big.bin`,
    method: 'HEAD',
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
    status: 200,
  })
  hello.child.kill()
  const figure = head / bare
  const shown = (us) => `${us.toFixed(0)} µs`
  return row(
    'HEAD resolve, CPU per request',
    shown(head),
    `bare Hono hello ${shown(bare)}`,
    figure,
    '≤ 3.5 ×',
    figure <= 3.5,
  )
}
