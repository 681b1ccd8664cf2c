import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { sendBlob } from '../../core/http/bytes.ts'
import type { App } from '../../core/http/env.ts'
import {
  noTelemetry,
  requestClasses,
  type Reading,
  type RequestClass,
  type Telemetry,
} from '../../platform/telemetry/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { casSurface } from '../chunk-http/handlers.ts'
import { hubErrorResponse } from '../hub/wire/errors.ts'
import { isHubPath } from '../hub/wire/paths.ts'
import { ollamaSurface } from '../ollama/handlers.ts'
import { gitSurface } from '../smart-http/handlers.ts'
import { viewerSurface } from '../viewer/handlers.ts'
import type { Capacities } from './admission.ts'
import { frame } from './frame.ts'
import { listen } from './listen.ts'

/** The same for every class; what waits does so until the end of the test. */
const ofAll = (atOnce: number, maxWaiting: number): Capacities => {
  const capacity = { atOnce, maxWaiting, maxWaitMs: 600_000 }
  const { api, resolver, upload, git, viewer, page } = Object.fromEntries(
    requestClasses.map((kind) => [kind, capacity]),
  ) as Capacities
  return { api, resolver, upload, git, viewer, page }
}
const ready = { state: 'ready' as const, check: async () => undefined }
const patiently = { timeout: 30_000, interval: 5 }

/** One request of each class. */
const asks: Record<RequestClass, [method: string, path: string]> = {
  api: ['GET', '/api/models/ada/bert'],
  resolver: ['GET', '/ada/bert/resolve/main/model.safetensors'],
  upload: ['POST', '/api/models/ada/bert/commit/main'],
  git: ['POST', '/ada/bert.git/git-upload-pack'],
  viewer: ['GET', '/viewer-api/rows'],
  page: ['GET', '/models'],
}

/** Metrics as they would be read now. */
function meters() {
  const gauges = new Map<string, () => Promise<Reading[]> | Reading[]>()
  const telemetry: Telemetry = { ...noTelemetry, gauge: (name, read) => void gauges.set(name, read) }
  const read = async (name: 'active' | 'waiting', kind: RequestClass) => {
    const readings = (await gauges.get(`arsenal.requests.${name}`)?.()) ?? []
    return readings.find(({ labels }) => labels?.['class'] === kind)?.value
  }
  const until = (name: 'active' | 'waiting', kind: RequestClass, value: number) =>
    vi.waitFor(async () => expect(await read(name, kind)).toBe(value), patiently)
  return { telemetry, until }
}

eachDatabase('admission', (world) => {
  const servers: Server[] = []
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** A server whose every request goes on until the test ends it, in the order they begin. */
  function open(capacities: Capacities) {
    const { telemetry, until } = meters()
    const deps = { ...world.deps, telemetry }
    const hub = { owns: isHubPath, render: hubErrorResponse }
    const surfaces = [casSurface(deps.config), gitSurface, ollamaSurface, viewerSurface, hub]
    const app = frame(deps, surfaces, ready, capacities)
    const begun: string[] = []
    const held: (() => void)[] = []
    app.all('*', (c) => {
      const { actor } = c.var.ctx
      begun.push(actor.kind === 'user' ? actor.username : actor.kind)
      return new Promise<Response>((resolve) => held.push(() => resolve(c.body('done'))))
    })
    return { app, until, begun, held }
  }

  const bearerOf = async (name: string) => {
    const { secret, actor } = await givenToken(world, await givenUser(world, name))
    return { name: actor.username, headers: { Authorization: `Bearer ${secret}` } }
  }

  const serve = async (app: App) => {
    const server = await listen(app, '127.0.0.1:0')
    servers.push(server)
    return (server.address() as AddressInfo).port
  }

  /** A request on a connection of its own, whose answer is not read. */
  const dial = async (port: number, [method, path]: readonly [string, string]) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    socket.pause()
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n`)
    return socket
  }

  describe.each(requestClasses)('%s', (kind) => {
    test('beside 200 requests of one caller another is served at once, and a third in the next turn', async () => {
      const { app, until, begun, held } = open(ofAll(2, 300))
      const [method, path] = asks[kind]
      const [busy, other, third] = [
        await bearerOf(`busy-${kind}`),
        await bearerOf(`other-${kind}`),
        await bearerOf(`third-${kind}`),
      ]
      const ask = ({ headers }: typeof busy) => Promise.resolve(app.request(path, { method, headers }))
      const all = Array.from({ length: 200 }, () => ask(busy))
      await until('waiting', kind, 199)
      all.push(ask(other))
      await until('active', kind, 2)
      expect(begun).toEqual([busy.name, other.name])
      all.push(ask(third))
      await until('waiting', kind, 200)
      const endOne = async () => {
        const before = begun.length
        held.shift()?.()
        await vi.waitFor(() => expect(begun.length).toBe(before + 1), patiently)
      }
      await endOne()
      await endOne()
      expect(begun).toEqual([busy.name, other.name, busy.name, third.name])
      const answers = Promise.all(all)
      while (begun.length < all.length) {
        for (const end of held.splice(0)) end()
        await pause()
      }
      for (const end of held) end()
      expect((await answers).map(({ status }) => status)).toEqual(all.map(() => 200))
      await until('active', kind, 0)
    })
  })

  test('a full class leaves the others and health checks alone', async () => {
    const { app, until, held } = open(ofAll(1, 0))
    const [method, path] = asks.api
    const busy = Promise.resolve(app.request(path, { method }))
    await until('active', 'api', 1)
    expect((await app.request(path)).status).toBe(503)
    for (const probe of ['/healthz', '/readyz']) expect((await app.request(probe)).status).toBe(200)
    const file = Promise.resolve(app.request(asks.resolver[1]))
    await until('active', 'resolver', 1)
    for (const end of held) end()
    expect((await Promise.all([busy, file])).map(({ status }) => status)).toEqual([200, 200])
  })

  test('anonymous callers are refused before others', async () => {
    const { app, until, held } = open(ofAll(1, 1))
    const [, path] = asks.api
    const [ada, bob] = [await bearerOf('ada'), await bearerOf('bob')]
    const first = Promise.resolve(app.request(path, ada))
    await until('active', 'api', 1)
    const stranger = Promise.resolve(app.request(path))
    await until('waiting', 'api', 1)
    const second = Promise.resolve(app.request(path, bob))
    expect((await stranger).status).toBe(503)
    await until('waiting', 'api', 1)
    held.shift()?.()
    await until('waiting', 'api', 0)
    held.shift()?.()
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200])
  })

  describe('places end with their request', () => {
    test('a caller who leaves while they wait frees the place in the queue', async () => {
      const { app, until, begun } = open(ofAll(1, 10))
      const port = await serve(app)
      await dial(port, asks.page)
      await until('active', 'page', 1)
      const waiting = await dial(port, asks.page)
      await until('waiting', 'page', 1)
      waiting.destroy()
      await until('waiting', 'page', 0)
      expect(begun).toHaveLength(1)
    })

    test('a download lasts until its reader has it, or is gone', async () => {
      const { telemetry, until } = meters()
      const app = frame({ ...world.deps, telemetry }, [], ready, ofAll(8, 10))
      const megabyte = new Uint8Array(1024 * 1024)
      const sizeBytes = 64 * megabyte.length
      app.get('/:ns/:name/resolve/*', (c) =>
        sendBlob(c, {
          sizeBytes,
          headers: {},
          open: async function* () {
            for (let n = 0; n < 64; n++) yield megabyte
          },
        }),
      )
      const port = await serve(app)
      const [slow, gone] = [await dial(port, asks.resolver), await dial(port, asks.resolver)]
      await until('active', 'resolver', 2)
      gone.destroy()
      await until('active', 'resolver', 1)
      slow.resume()
      await until('active', 'resolver', 0)
    })

    test('an answer that is streamed by Hono lasts as long', async () => {
      const { telemetry, until } = meters()
      const app = frame({ ...world.deps, telemetry }, [], ready, ofAll(8, 10))
      let end: () => void = () => undefined
      app.get('/models', (c) =>
        c.body(new ReadableStream({ start: (controller) => void (end = () => controller.close()) })),
      )
      const port = await serve(app)
      const socket = await dial(port, asks.page)
      socket.resume()
      await once(socket, 'data')
      await until('active', 'page', 1)
      end()
      await until('active', 'page', 0)
    })
  })

  describe('a refusal is what its client reads', () => {
    const detail = (what: string) => `The server has too many ${what} at once. Retry in 5 s.`
    const native = { code: 'temporarily-unavailable', status: 503, detail: detail('API calls') }
    const cases: [client: string, method: string, path: string, type: string, body: unknown][] = [
      ['the native API', 'GET', '/api/service/v1/repos', 'application/problem+json', native],
      ['hub clients', 'GET', asks.api[1], 'application/json', { error: detail('API calls') }],
      ['hub clients that send', 'POST', asks.upload[1], 'application/json', { error: detail('uploads') }],
      [
        'git-lfs',
        'POST',
        '/ada/bert.git/info/lfs/objects/batch',
        'application/vnd.git-lfs+json',
        { message: detail('API calls'), request_id: expect.any(String) as string },
      ],
      ['the viewer', 'GET', asks.viewer[1], 'application/json', { error: detail('dataset queries') }],
      ['ollama', 'GET', '/v2/ada/bert/manifests/latest', 'application/json', { error: detail('API calls') }],
      ['hf-xet', 'POST', '/chunk-cas/v1/shards', 'application/json', { message: detail('uploads') }],
    ]
    test.each(cases)('%s', async (_, method, path, type, body) => {
      const answer = await open(ofAll(0, 0)).app.request(path, { method })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
      expect(await answer.json()).toMatchObject(body as object)
    })

    test('a HEAD, by its headers', async () => {
      const port = await serve(open(ofAll(0, 0)).app)
      const answer = await fetch(`http://127.0.0.1:${port}${asks.resolver[1]}`, { method: 'HEAD' })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.headers.get('x-error-message')).toBe(detail('downloads'))
    })

    test('before a body has come: the connection ends', async () => {
      const port = await serve(open(ofAll(0, 0)).app)
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.write(
        'POST /api/models/ada/bert/commit/main HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
      )
      let answer = ''
      for await (const chunk of socket) answer += String(chunk)
      expect(answer).toMatch(/^HTTP\/1\.1 503 /)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    })

    test('git, which prints it', async () => {
      const owner = await givenUser(world, 'owner')
      const { secret } = await givenToken(world, owner)
      const repo = await givenRepo(world, owner)
      const port = await serve(buildApp(world.deps, ready, ofAll(0, 0)))
      const url = `http://x:${secret}@127.0.0.1:${port}/${repo.ns}/${repo.name}`
      const said = await new Promise<string>((resolve) =>
        execFile(
          'git',
          ['ls-remote', url],
          { env: { PATH: process.env['PATH'], HOME: world.dir, LC_ALL: 'C' } },
          (_, out, text) => resolve(out + text),
        ),
      )
      expect(said).toContain(`remote: ${detail('git requests')}`)
      expect(said).toContain('error: 503')
    })
  })
})
