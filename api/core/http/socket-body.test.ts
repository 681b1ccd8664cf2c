import { Hono } from 'hono'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchDirectIo } from '../../platform/direct-io/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { hashing } from '../../stores/storage/index.ts'
import { requestBytes } from './bytes.ts'
import type { App, Env } from './env.ts'
import { listen } from '../../surfaces/server/listen.ts'

const MIB = 1024 * 1024
const content = Buffer.alloc(20 * MIB + 12_345)
for (let at = 0; at < content.length; at++) content[at] = (at * 31) >>> 3

/** What became of the bodies that `/left` and `/cut` read, as it happens. */
const outcomes: string[] = []

function app() {
  const bare = new Hono<Env>()
  bare.put('/hash', async (c) => {
    const hashed = hashing(requestBytes(c), 'sha256')
    for await (const chunk of hashed.source) hashed.source.giveBack?.(chunk)
    return c.json(await hashed.digest())
  })
  bare.put('/left', async (c) => {
    for await (const chunk of hashing(requestBytes(c), 'sha256').source) if (chunk.length > 0) break
    return c.json({ left: true }, 507)
  })
  bare.put('/cut', async (c) => {
    try {
      for await (const chunk of hashing(requestBytes(c), 'sha256').source) outcomes.push(`${chunk.length}`)
    } catch (error) {
      outcomes.push(error instanceof Problem ? error.code : 'other')
    }
    return c.json({})
  })
  return bare as unknown as App
}

describe.each([true, false])('a body over a socket, direct: %s', (isDirect) => {
  let server: Server
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  beforeAll(async () => {
    switchDirectIo(isDirect)
    server = await listen(app(), '127.0.0.1:0')
  })
  afterAll(() => {
    switchDirectIo(true)
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })

  function open(path: string, headers: Record<string, string>) {
    const { port } = server.address() as AddressInfo
    return request({ host: '127.0.0.1', port, method: 'PUT', path, headers, agent })
  }
  async function put(path: string, body: Buffer, headers: Record<string, string> = {}) {
    const asking = open(path, { 'Content-Length': String(body.length), ...headers })
    asking.end(body)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, connection: answer.headers.connection, body: await json(answer) }
  }
  const digestOf = (bytes: Buffer) => ({
    hex: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
  })

  test.each([MIB, 64 * 1024, MIB / 2 + 1])('that comes in bursts of %i bytes comes whole', async (burst) => {
    const asking = open('/hash', { 'Content-Length': String(content.length) })
    const answered = once(asking, 'response')
    asking.flushHeaders()
    for (let at = 0; at < content.length; at += burst) {
      // What fills a slab to its last byte is followed by a read that finds nothing.
      await pause(1)
      asking.write(content.subarray(at, at + burst))
    }
    asking.end()
    const [answer] = (await answered) as [IncomingMessage]
    expect(await json(answer)).toEqual(digestOf(content))
  })

  test.each([0, 1, 8 * MIB - 1, 8 * MIB, 9 * MIB + 1, content.length])(
    'of %i bytes comes whole, and others after it',
    async (length) => {
      const bytes = content.subarray(0, length)
      const first = await put('/hash', bytes)
      expect(first.body).toEqual(digestOf(bytes))
      // The parser does not know where a large one has ended.
      expect(first.connection).toBe(isDirect && length >= 8 * MIB ? 'close' : 'keep-alive')
      expect((await put('/hash', content.subarray(3, 99))).body).toEqual(digestOf(content.subarray(3, 99)))
    },
  )

  test('that is sent in drops comes whole', async () => {
    const asking = open('/hash', { 'Content-Length': String(content.length) })
    for (let at = 0; at < content.length; at += 3_000_001) {
      await new Promise((sent) => asking.write(content.subarray(at, at + 3_000_001), sent))
    }
    asking.end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    expect(await json(answer)).toEqual(digestOf(content))
  })

  test('of unknown length comes whole', async () => {
    const asking = open('/hash', { 'Transfer-Encoding': 'chunked' })
    asking.end(content)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    expect(await json(answer)).toEqual(digestOf(content))
  })

  test('many at once do not mix', async () => {
    const bodies = Array.from({ length: 6 }, (_, i) => content.subarray(i * 1001))
    const { port } = server.address() as AddressInfo
    const answers = bodies.map(async (body) => {
      const headers = { 'Content-Length': String(body.length) }
      const asking = request({ host: '127.0.0.1', port, method: 'PUT', path: '/hash', headers }).end(body)
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      return json(answer)
    })
    expect(await Promise.all(answers)).toEqual(bodies.map(digestOf))
  })

  test('that is not read to its end is answered, and so is the next request', async () => {
    const answer = { status: 507, connection: isDirect ? 'close' : 'keep-alive', body: { left: true } }
    expect(await put('/left', content)).toMatchObject(answer)
    expect((await put('/hash', content)).body).toEqual(digestOf(content))
  })

  test('that is cut off ends with a problem, not in silence', async () => {
    outcomes.length = 0
    const asking = open('/cut', { 'Content-Length': String(content.length) })
    asking.on('error', () => undefined)
    await new Promise((sent) => asking.write(content.subarray(0, 5 * MIB), sent))
    asking.destroy()
    await expect.poll(() => outcomes.at(-1)).toBe('invalid-request')
  })
})
