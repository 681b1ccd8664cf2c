// What one HEAD of a file costs, against the least a request can cost here.
import { cpuSeconds, load, median, row } from './measure.mjs'
import { helper } from './processes.mjs'

export async function resolver(server, repo, token) {
  const hello = await helper('hello.mjs')
  const perRequest = async (pid, request) => {
    const before = cpuSeconds(pid)
    await load({ ...request, total: 6000, lanes: 8 })
    return ((cpuSeconds(pid) - before) / 6000) * 1e6
  }
  const bareRequest = { url: hello.url, method: 'GET', status: 200 }
  const headRequest = {
    url: `${server.url}/${repo}/resolve/main/big.bin`,
    method: 'HEAD',
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
    status: 200,
  }
  const costs = []
  for (let i = 0; i < 9; i++)
    costs.push({
      bare: await perRequest(hello.child.pid, bareRequest),
      head: await perRequest(server.pid, headRequest),
    })
  // The first rounds warm both up.
  const warm = costs.slice(2)
  const bare = median(warm.map((cost) => cost.bare))
  const head = median(warm.map((cost) => cost.head))
  hello.child.kill()
  const figure = median(warm.map((cost) => cost.head / cost.bare))
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
