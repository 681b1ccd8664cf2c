import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAnswerHeaders } from './security-headers.ts'
import { Problem } from '../../platform/problems/index.ts'
import { collect, fromChunks } from '../../stores/storage/index.ts'
import { declaredLength, requestBytes, sendBlob } from './bytes.ts'
import type { Env } from './env.ts'

const content = Buffer.alloc(5 * 1024 * 1024 + 7, 'arsenal-')
const opened: string[] = []
const modifiedAt = new Date('2026-03-01T12:00:00.000Z')
const modified = 'Sun, 01 Mar 2026 12:00:00 GMT'

const arrived = later<void>()
const cut = later<unknown>()
const closed = later<void>()

function later<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve: (value: T) => resolve(value) }
}

function appOfBytes() {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    // Touching `c.res` early and setting a header late both make hono copy the answer.
    c.set('headers', { 'X-Early': 'yes' })
    c.res.headers.set('X-Touched', 'yes')
    await next()
    c.header('X-Late', 'yes')
  })
  app.use(async (c, next) => {
    await next()
    addAnswerHeaders(c)
  })
  app.onError((error, c) => c.text(error.message, error instanceof Problem ? error.status : 500))
  const send = (bytes: Buffer) => (c: Parameters<typeof sendBlob>[0]) =>
    sendBlob(c, {
      sizeBytes: bytes.length,
      etag: 'abc',
      modifiedAt,
      headers: { 'Content-Type': 'application/octet-stream' },
      async open(range, signal) {
        signal.throwIfAborted()
        opened.push(`${c.req.method} ${range ? `${range.offset}+${range.length}` : 'all'}`)
        const part = range ? bytes.subarray(range.offset, range.offset + range.length) : bytes
        return fromChunks(part.subarray(0, 1024 * 1024), part.subarray(1024 * 1024))
      },
    })
  app.get('/blob', send(content))
  app.get('/packed', (c) =>
    sendBlob(c, {
      sizeBytes: content.length,
      etag: 'abc',
      headers: {},
      open: () => fromChunks(content),
      isCompressed: true,
    }),
  )
  app.get('/packed-without-end', (c) =>
    sendBlob(c, {
      sizeBytes: 1e12,
      headers: {},
      open: async function* () {
        try {
          for (;;) yield randomBytes(64 * 1024)
        } finally {
          closed.resolve()
        }
      },
      isCompressed: true,
    }),
  )
  app.get('/empty', send(Buffer.alloc(0)))
  app.get('/broken', (c) =>
    sendBlob(c, { sizeBytes: 9, headers: {}, open: () => Promise.reject(new Problem('store-unavailable')) }),
  )
  app.put('/echo', async (c) => {
    const body = await collect(requestBytes(c), 64 * 1024 * 1024)
    return c.json({ declared: declaredLength(c) ?? null, received: body.length, ok: body.equals(content) })
  })
  app.put('/cut', async (c) => {
    arrived.resolve()
    cut.resolve(await collect(requestBytes(c), 1000).catch((error: unknown) => error))
    return c.text('')
  })
  app.put('/refuse', async (c) => {
    for await (const chunk of requestBytes(c)) return c.text(`enough after ${chunk.length > 0}`, 422)
    return c.text('nothing came', 400)
  })
  return app
}

const app = appOfBytes()
let server: Server
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve()) as Server
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ways = [
  ['over a socket', (path: string, init?: RequestInit) => fetch(base + path, init)],
  ['over web streams', async (path: string, init?: RequestInit) => app.request(path, init)],
] as const

describe.each(ways)('bytes %s', (_, call) => {
  const get = (headers: Record<string, string> = {}, path = '/blob') => call(path, { headers })

  test('the whole arrives with its length and validator', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': String(content.length),
      etag: '"abc"',
      'accept-ranges': 'bytes',
      'x-early': 'yes',
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
  })

  test('a compressed whole is the same afterwards; a part of it and HEAD are not compressed', async () => {
    const answer = await get({ 'accept-encoding': 'gzip' }, '/packed')
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"abc"' })
    expect(answer.headers.get('accept-ranges')).toBeNull()
    const bytes = Buffer.from(await answer.arrayBuffer())
    // `fetch` has unpacked it by itself.
    expect((bytes.length < content.length ? gunzipSync(bytes) : bytes).equals(content)).toBe(true)
    const part = await get({ range: 'bytes=0-8' }, '/packed')
    expect([part.status, part.headers.get('content-encoding')]).toEqual([206, null])
    await part.arrayBuffer()
    const head = await call('/packed', { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(content.length))
  })

  test.each([
    ['the date that was sent', { 'if-modified-since': modified }, 304],
    ['an older one', { 'if-modified-since': 'Sat, 28 Feb 2026 12:00:00 GMT' }, 200],
    [
      'a later one, as before a branch was moved back',
      { 'if-modified-since': 'Mon, 02 Mar 2026 12:00:00 GMT' },
      200,
    ],
    ['no date', { 'if-modified-since': 'yesterday' }, 200],
    [
      'it beside another ETag, which counts',
      { 'if-modified-since': modified, 'if-none-match': '"old"' },
      200,
    ],
  ])('if-modified-since with %s', async (_what, headers, status) => {
    const answer = await get(headers)
    expect([answer.status, answer.headers.get('last-modified')]).toEqual([status, modified])
    await answer.body?.cancel()
  })

  test('HEAD tells the length and opens nothing', async () => {
    opened.length = 0
    const answer = await call('/blob', { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(content.length))
    expect(await answer.text()).toBe('')
    expect(opened).toEqual([])
  })

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=1048570-1048585', 1048570, 1048585],
    [`bytes=${content.length - 3}-`, content.length - 3, content.length - 1],
    ['bytes=5-99999999', 5, content.length - 1],
    ['bytes=-4', content.length - 4, content.length - 1],
    ['bytes=-99999999', 0, content.length - 1],
  ])('range %s answers 206 with those bytes', async (range, first, last) => {
    const answer = await get({ range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${content.length}`)
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(first, last + 1))).toBe(true)
  })

  test.each(['bytes=0-1,4-5', 'bytes=9-1', 'bytes=-', 'lines=1-2', 'bytes=a-b'])(
    'range %s is not one we honour: the whole is answered',
    async (range) => {
      const answer = await get({ range })
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    },
  )

  test.each([`bytes=${content.length}-`, 'bytes=-0'])('range %s cannot be satisfied', async (range) => {
    const answer = await get({ range })
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe(`bytes */${content.length}`)
  })

  test('an empty file answers a probe with 200 and bytes */0', async () => {
    const answer = await get({ range: 'bytes=0-0' }, '/empty')
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, 'bytes */0'])
    expect(await answer.text()).toBe('')
  })

  test('If-Match that does not match is 412, with a range or without', async () => {
    for (const range of [{}, { range: 'bytes=0-0' }]) {
      expect((await get({ ...range, 'if-match': '"old", W/"abc"' })).status).toBe(412)
      for (const fits of ['"abc"', '"old", "abc"', '*'])
        expect((await get({ ...range, 'if-match': fits })).status).toBe('range' in range ? 206 : 200)
    }
  })

  test('If-None-Match spares the bytes, If-Range guards a resume', async () => {
    expect((await get({ 'if-none-match': '"x", W/"abc"' })).status).toBe(304)
    expect((await get({ 'if-none-match': '*' })).status).toBe(304)
    expect((await get({ range: 'bytes=0-0', 'if-range': '"abc"' })).status).toBe(206)
    const stale = await get({ range: 'bytes=0-0', 'if-range': '"old"' })
    expect(stale.status).toBe(200)
    await stale.body?.cancel()
  })

  test('a store that fails before the first byte is an ordinary problem', async () => {
    expect((await get({}, '/broken')).status).toBe(503)
  })

  test('a body is read whole', async () => {
    const answer = await call('/echo', { method: 'PUT', body: content, headers: { 'x-a': 'b' } })
    expect(await answer.json()).toMatchObject({ received: content.length, ok: true })
  })

  test('a refusal in the middle of a body still reaches the client', async () => {
    const answer = await call('/refuse', { method: 'PUT', body: content })
    expect([answer.status, await answer.text()]).toEqual([422, 'enough after true'])
  })
})

test('a client that leaves mid-download leaves the server well', async () => {
  const answer = await fetch(`${base}/blob`)
  await answer.body?.cancel()
  expect((await fetch(`${base}/blob`, { method: 'HEAD' })).status).toBe(200)
})

test('a client that leaves a compressed download closes what is read', async () => {
  const leaves = new AbortController()
  const answer = await fetch(`${base}/packed-without-end`, { signal: leaves.signal })
  await answer.body?.getReader().read()
  leaves.abort()
  await expect(closed.promise).resolves.toBeUndefined()
})

test('a client that leaves mid-upload is a bad request, not a failure of ours', async () => {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('PUT /cut HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf')
  })
  await arrived.promise
  socket.destroy()
  const problem = await cut.promise
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({ code: 'invalid-request' })
})
