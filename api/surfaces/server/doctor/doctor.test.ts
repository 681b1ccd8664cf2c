import { z } from 'zod'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { buildApp } from '../../../app/app.ts'
import type { App } from '../../../core/http/env.ts'
import { defineJob, enqueue } from '../../../core/jobs/index.ts'
import { guardFor } from '../../../platform/net/index.ts'
import { heldBack } from '../../../rooms/health/checks/pieces.ts'
import { runChecks, type CheckedFinding, type HealthCheck } from '../../../rooms/health/index.ts'
import { eachDatabase, eachRedirectingStore, givenToken, givenUser, type World } from '../../../testing.ts'
import { listen } from '../listen.ts'
import { adviceFor, clientOf } from './clients.ts'

describe('clients', () => {
  test.each([
    ['unknown/None; hf_hub/2.2.0; python/3.12.1; torch/2.0', { name: 'huggingface_hub', version: '2.2.0' }],
    ['transformers/4.57.6; python/3.11; hf_hub/0.36.2', { name: 'huggingface_hub', version: '0.36.2' }],
    ['git/2.39.5', { name: 'git', version: '2.39.5' }],
    ['git-lfs/3.3.0 (GitHub; linux amd64; go 1.19.8)', { name: 'git-lfs', version: '3.3.0' }],
    ['curl/8.1.2', { name: 'curl', version: '8.1.2' }],
    ['Mozilla/5.0 (X11; Linux x86_64)', { name: 'browser' }],
  ])('%s', (userAgent, client) => expect(clientOf(userAgent)).toEqual(client))

  test('an unknown one is not guessed', () => expect(clientOf('something else')).toBeUndefined())

  test('known problems end with the version that lacks them', () => {
    const texts = (version: string) => adviceFor({ name: 'huggingface_hub', version }).map(({ text }) => text)
    expect(texts('0.20.3')).toHaveLength(2)
    expect(texts('1.21.9')).toHaveLength(1)
    expect(texts('1.22.0')).toEqual([])
    expect(texts('2.4.0')).toEqual([])
    expect(adviceFor({ name: 'git-lfs', version: '2.13.3' })).toHaveLength(1)
    expect(adviceFor({ name: 'curl' })).toEqual([])
  })
})

/** The world's server on a port, whose address is its `server.public_url`. */
function served(world: World, publicUrl?: string) {
  let server: Server
  const at = { url: '' }
  const deps = () => {
    const { config } = world.deps
    const public_url = publicUrl ?? at.url
    return { ...world.deps, config: { ...config, server: { ...config.server, public_url } } }
  }
  beforeAll(async () => {
    const late: Pick<App, 'fetch'> = { fetch: (...args) => app.fetch(...args) }
    server = await listen(late, '127.0.0.1:0')
    at.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const app = buildApp(deps(), { state: 'ready', check: async () => undefined })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { at, deps }
}

interface Answer {
  auth: { kind: string; accepted: boolean; text: string; user?: string; scopes?: string[] }
  request: Record<string, unknown>
  advice: { text: string }[]
  client: unknown
}

eachDatabase('/-/doctor', (world) => {
  const { at } = served(world)
  const ask = async (init: RequestInit = {}, path = '/-/doctor') => {
    const answer = await fetch(`${at.url}${path}`, init)
    const text = await answer.text()
    return { status: answer.status, text, body: JSON.parse(text) as Answer }
  }
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

  test('it says what arrived and which client sent it', async () => {
    const { status, body } = await ask(
      { headers: { 'User-Agent': 'hf_hub/0.20.3; python/3.9', Range: 'bytes=0-9' } },
      '/-/doctor/a%2Fb',
    )
    expect(status).toBe(200)
    expect(body.client).toEqual({ name: 'huggingface_hub', version: '0.20.3' })
    expect(body.request).toMatchObject({ path: '/-/doctor/a%2Fb', range: 'bytes=0-9', base_url: at.url })
    expect(body.advice).toHaveLength(2)
    expect(body.auth).toMatchObject({ kind: 'none', accepted: true })
  })

  test('a token that holds is named by its person and scopes, and never repeated', async () => {
    const person = await givenUser(world, 'doctors-patient')
    const { secret: token } = await givenToken(world, person)
    const { text, body } = await ask(bearer(token))
    expect(body.auth).toMatchObject({
      kind: 'token',
      accepted: true,
      user: person.username,
      scopes: ['write'],
    })
    expect(text).not.toContain(token)
  })

  test('a token that does not hold is explained and never repeated', async () => {
    const { status, text, body } = await ask(bearer('sk-not-of-here'))
    expect(status).toBe(200)
    expect(body.auth).toMatchObject({ kind: 'token', accepted: false })
    expect(body.auth.text).toContain('start with hf_asl_')
    expect(text).not.toContain('sk-not-of-here')
  })

  test('a password is not tried', async () => {
    const { text, body } = await ask({ headers: { Authorization: `Basic ${btoa('alice:secret-word')}` } })
    expect(body.auth).toMatchObject({ kind: 'basic', accepted: false })
    expect(text).not.toContain('secret-word')
  })

  test('another host name is noticed', async () => {
    const { port } = new URL(at.url)
    const answer = await fetch(`http://localhost:${port}/-/doctor`)
    const { advice } = (await answer.json()) as Answer
    expect(advice[0]?.text).toContain(`links in answers name ${at.url}`)
  })

  test('a body is counted, and one above 4 MiB refused', async () => {
    const { body } = await ask({ method: 'POST', body: new Uint8Array(3 * 2 ** 20) })
    expect(body.request['body_bytes']).toBe(3 * 2 ** 20)
    expect((await ask({ method: 'POST', body: new Uint8Array(5 * 2 ** 20) })).status).toBe(413)
  })

  test('its pieces are sent one after the other', async () => {
    const lines = (await (await fetch(`${at.url}/-/doctor/pieces`)).text()).trim().split('\n').map(Number)
    expect(lines).toHaveLength(4)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
    expect(new Set(lines).size).toBe(4)
  })
})

async function findingsOf(deps: World['deps'], checks?: HealthCheck[], limitMs?: number) {
  const found: CheckedFinding[] = []
  for await (const finding of runChecks(deps, deps.stopping, checks, limitMs)) found.push(finding)
  return found
}

eachDatabase('health checks', (world) => {
  const servedHere = served(world)
  const { deps } = servedHere

  test('a server that works has nothing that failed', async () => {
    const found = await findingsOf(deps())
    expect(found.filter(({ status, check }) => status === 'fail' && check !== 'disk')).toEqual([])
    expect(new Set(found.map(({ check }) => check)).size).toBe(11)
  })

  test('nothing of the store check stays in the store', async () => {
    await findingsOf(deps())
    const left = []
    for await (const blob of world.blobs.list('probes/')) left.push(blob)
    expect(left).toEqual([])
  })

  test('a proxy that collects answers and bodies is found, with its fix', async () => {
    const collecting = createServer(async (request, response) => {
      const { url = '/', method = 'GET', headers } = request
      const asked = httpRequest(`${servedHere.at.url}${url}`, { method, headers })
      asked.end(await buffer(request))
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      response.writeHead(answer.statusCode ?? 502).end(await buffer(answer))
    })
    collecting.listen(0, '127.0.0.1')
    await once(collecting, 'listening')
    const proxyUrl = `http://127.0.0.1:${(collecting.address() as AddressInfo).port}`
    const guard = guardFor('upstream', world.deps.config.security.outbound_allow, undefined, [proxyUrl])
    const found = await heldBack(proxyUrl, guard, world.deps.stopping)
    collecting.closeAllConnections()
    collecting.close()
    expect(found.map(({ status, fix }) => [status, fix?.match(/proxy_\w+/)?.[0]])).toEqual([
      ['warn', 'proxy_buffering'],
      ['warn', 'proxy_request_buffering'],
    ])
  })

  test('an address without a server fails with what to look at', async () => {
    const { config } = world.deps
    const absent = { ...config, server: { ...config.server, public_url: 'http://127.0.0.1:9' } }
    const found = await findingsOf({ ...world.deps, config: absent })
    const [address] = found.filter(({ check }) => check === 'public address')
    expect(address?.status).toBe('fail')
    expect(address?.fix).toContain('DNS, TLS and the proxy')
  })

  test('a check that does not end fails, and the others are made', async () => {
    const stuck: HealthCheck = { name: 'stuck', run: () => new Promise(() => undefined) }
    const fine: HealthCheck = { name: 'fine', run: async () => ({ status: 'ok', text: 'fine' }) }
    const found = await findingsOf(world.deps, [stuck, fine], 100)
    expect(found.map(({ check, status }) => [check, status])).toEqual([
      ['stuck', 'fail'],
      ['fine', 'ok'],
    ])
    expect(found[0]?.text).toBe('no answer within 0.1 s')
  })

  test('a due job that has waited for long without a worker fails', async () => {
    const later = { ...world.deps, now: () => new Date(world.clock.now.getTime() + 3_600_000) }
    const kind = defineJob({
      kind: 'gc',
      input: z.object({}),
      maxAttempts: 1,
      title: () => 'waits',
      run: async () => undefined,
    })
    await world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}))
    const [work] = (await findingsOf(later)).filter(({ check }) => check === 'jobs')
    expect(work).toMatchObject({ status: 'fail', fix: expect.stringContaining('server.role all or worker') })
  })
})

eachRedirectingStore('health checks of a bucket', (world) => {
  test('a presigned address is tried as a client would', async () => {
    const found = (await findingsOf(world.deps)).filter(({ check }) => check === 'store')
    expect(found.map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect(found[1]?.text).toContain('presigned')
  })
})
