import { once } from 'node:events'
import { request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../server/listen.ts'
import { eachDatabase } from '../../testing.ts'
import { MAX_XORB_BYTES } from '../../rooms/chunk/put-xorb.ts'
import { ChunkSite, shard, whileWorking, xorb, xorbHash } from '../../rooms/chunk/testing.ts'

eachDatabase('the endpoints that take chunks, over a socket', (world) => {
  let site: ChunkSite
  let server: Server
  beforeAll(async () => {
    site = await new ChunkSite().open(world, 'ada')
    server = await listen(site.app, '127.0.0.1:0')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  function open(method: string, path: string, headers: Record<string, string> = {}) {
    return request({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      method,
      path: site.cas + path,
      headers: { Authorization: `Bearer ${site.token}`, ...headers },
    })
  }
  async function ask(method: string, path: string, body?: Buffer) {
    const asking = open(method, path, body ? { 'Content-Length': String(body.length) } : {})
    asking.end(body)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
  }

  test('a container comes, HEAD tells of it, and the stream of its manifest ends', async () => {
    const at = `/v1/xorbs/default/${xorbHash}`
    expect((await ask('HEAD', at)).status).toBe(404)
    expect(JSON.parse((await ask('POST', at, xorb)).text)).toEqual({ was_inserted: true })
    expect((await ask('HEAD', at)).status).toBe(200)
    const stream = await whileWorking(world, () => ask('POST', '/v2/shards', shard))
    expect(stream.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'cache-control': 'no-cache' })
    const lines = stream.text.trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ type: 'result', result: 1 })
  })

  test.each([
    ['too large', {}, 413],
    ['without a good token', { Authorization: 'Bearer xw1.a.b' }, 401],
  ])('one that is %s is answered while it is still being sent', async (_, headers, status) => {
    const asking = open('POST', `/v1/xorbs/default/${xorbHash}`, {
      'Content-Length': String(MAX_XORB_BYTES + 1),
      ...headers,
    })
    asking.on('error', () => undefined)
    asking.write(Buffer.alloc(5_000_000))
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    expect([answer.statusCode, answer.headers.connection]).toEqual([status, 'close'])
    expect(JSON.parse(await text(answer))).toMatchObject({ error: expect.any(String) })
    asking.destroy()
  })

  test('one that is cut off leaves nothing', async () => {
    const asking = open('POST', `/v1/xorbs/default/${'c'.repeat(64)}`, { 'Content-Length': '1000' })
    asking.on('error', () => undefined)
    await new Promise((sent) => asking.write(xorb, sent))
    asking.destroy()
    expect((await ask('HEAD', `/v1/xorbs/default/${'c'.repeat(64)}`)).status).toBe(404)
  })
})
