import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, givenRepo, type Person } from './fixtures.ts'

/** A server that takes what is sent to it, and answers `status`, which may be changed. */
export async function startReceiver(status = 200) {
  const answer = { status }
  const received: { headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(answer.status, { 'Content-Type': 'text/plain' }).end('I have it.')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hook`, received, answer, stop }
}

interface Deliveries {
  items: { status: string }[]
}

/** Webhooks as their pages show them, by name of the picture. */
export async function givenWebhooks(owner: Person): Promise<Record<string, string>> {
  const repo = await givenRepo(owner)
  const receiver = await startReceiver(500)
  const watched = [{ repo: { type: 'model', ns: repo.ns, name: repo.name } }]
  const wanted = { url: receiver.url, watched, events: ['repo', 'repo.content', 'discussion.comment'] }
  const { id } = await owner.native<{ id: string }>('POST', '/webhooks', wanted)
  await owner.native('POST', '/webhooks', { ...wanted, active: false })
  await owner.native('POST', `/webhooks/${id}/test`)
  await expect
    .poll(async () => (await owner.native<Deliveries>('GET', `/webhooks/${id}/deliveries`)).items[0]?.status)
    .toBe('failed')
  receiver.stop()
  return {
    webhooks: '/settings/webhooks',
    webhook: `/settings/webhooks/${id}`,
    'repo-webhooks': `${repo.page}/settings/webhooks`,
  }
}
