import { once } from 'node:events'
import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { saveUpstreamToken } from '../upstreams/tokens.ts'
import { givenHub, siteOf } from './testing/site.ts'
import type { Asked } from './testing/hub.ts'

/** 127.0.0.1 alone is allowed to upstreams of these tests: this stands for any other private address. */
const forbidden = '127.0.0.2'

eachDatabase('an upstream that sends git elsewhere', (world) => {
  const hub = givenHub(world)
  const site = siteOf(world, hub)
  const servers: Server[] = []
  let person: UserActor
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })
  beforeEach(() => hub.gated.clear())
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** Passes requests to the hub; answers its address and what it was sent. */
  async function givenOther(host: string): Promise<{ url: string; asked: Asked[] }> {
    const asked: Asked[] = []
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      asked.push({ method, url, headers })
      const own = {
        ...headers,
        'x-passed-on': '1',
        host: new URL(hub.url).host,
      }
      const onward = send(new URL(url, hub.url), { method, headers: own }, (got) => {
        response.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(response)
      })
      request.pipe(onward)
    })
    servers.push(server)
    server.listen(0, host)
    await once(server, 'listening')
    return { url: `http://${host}:${(server.address() as AddressInfo).port}`, asked }
  }

  /** Redirects requests for commits, unless they come from there. */
  function redirectGit(to: string): void {
    hub.misbehave = ({ url = '', headers }, response) => {
      if (url === '/api/whoami-v2') {
        response.writeHead(200).end('{"name":"ann"}')
        return true
      }
      const isGit = url.includes('/info/refs') || url.includes('/git-upload-pack')
      if (!isGit || headers['x-passed-on'] !== undefined) return false
      response.writeHead(307, { Location: `${to}${url}` }).end()
      return true
    }
  }

  test('is not followed to another host, which hears of nothing', async () => {
    await hub.commit('acme/moved', { 'README.md': '# A\n' })
    hub.gated.add('acme/moved')
    const other = await givenOther('127.0.0.1')
    redirectGit(other.url)
    await saveUpstreamToken(site.ctx(person), 'hub', 'good')
    const job = await site.pulled(site.ctx(person), site.wish('acme/moved'))
    expect(job.status).not.toBe('succeeded')
    expect(job.problem).toMatchObject({ code: 'upstream-unavailable' })
    expect(other.asked).toEqual([])
  })

  test('is not followed to a private address', async () => {
    await hub.commit('acme/inward', { 'README.md': '# A\n' })
    const inside = await givenOther(forbidden)
    redirectGit(inside.url)
    const job = await site.pulled(site.ctx(person), site.wish('acme/inward'))
    expect(job.status).not.toBe('succeeded')
    expect(job.problem).toMatchObject({ code: 'upstream-unavailable' })
    expect(inside.asked).toEqual([])
  })
})
