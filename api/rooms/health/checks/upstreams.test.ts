import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import { upstreams } from './upstreams.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A hub on a loopback address; its address. */
async function givenHub(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A hub that takes the token `good`, whose clock is that much ahead. */
const hub =
  (aheadMs = 0): RequestListener =>
  ({ url = '', headers }, response) => {
    const isGood = headers.authorization === 'Bearer good'
    response.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString())
    if (url.startsWith('/api/whoami-v2')) response.writeHead(isGood ? 200 : 401).end('{"name":"ann"}')
    else response.end('[]')
  }

eachDatabase('the check of upstreams', (world) => {
  /** What it finds of one upstream that the configuration names. */
  async function found(base_url: string, { token = '', enabled = true } = {}) {
    const near = { base_url, enabled, token, namespace_prefix: '', viewer_url: '' }
    const deps = { ...world.deps, now: () => new Date() }
    const config = { ...deps.config, upstreams: { near } }
    return [await upstreams.run({ ...deps, config }, new AbortController().signal)].flat()
  }

  test('is content with one that answers and takes the token', async () => {
    const findings = await found(await givenHub(hub()), { token: 'good' })
    expect(findings).toMatchObject([{ status: 'ok' }])
    expect(findings[0]?.text).toContain("The token is ann's.")
  })

  test('fails where a token is refused, names the key, and does not show the token', async () => {
    const findings = await found(await givenHub(hub()), { token: 'outworn' })
    expect(findings).toMatchObject([{ status: 'fail' }])
    expect(findings[0]?.fix).toContain('upstreams.near.token')
    expect(JSON.stringify(findings)).not.toContain('outworn')
  })

  test('warns of one that does not answer, since the server works without it', async () => {
    const findings = await found(await givenHub((_, response) => response.writeHead(502).end()))
    expect(findings).toMatchObject([{ status: 'warn' }])
    expect(findings[0]?.text).toContain('502')
    expect(findings[0]?.fix).toContain('upstreams.near.enabled')
  })

  test('warns of a clock that differs', async () => {
    const findings = await found(await givenHub(hub(3_600_000)), { token: 'good' })
    expect(findings).toMatchObject([{ status: 'warn' }])
    expect(findings[0]?.text).toContain('clocks differ')
  })

  test('asks none that is disabled', async () => {
    const url = await givenHub(() => expect.fail('it was asked'))
    expect(await found(url, { enabled: false })).toMatchObject([{ status: 'ok' }])
  })
})
