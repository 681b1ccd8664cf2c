import { beforeAll, expect, test } from 'vitest'
import { hostileSegments, isTried } from '../server/testing/hostile.ts'
import { eachDatabase } from '../../testing.ts'
import { ChunkSite, shard, xorb, xorbHash } from '../../rooms/chunk/testing.ts'

const addresses: [method: string, path: string, body?: Buffer][] = [
  ['HEAD', `/v1/xorbs/default/${xorbHash}`],
  ['GET', `/v1/chunks/default/${xorbHash}`],
  ['POST', '/v1/shards', shard],
  ['POST', '/v2/shards', shard],
  ['PUT', `/shard/default/${xorbHash}`, shard],
  ['POST', '/v1/telemetry', Buffer.from('{}')],
  ['GET', `/v2/reconstructions/${xorbHash}`],
  // Last, so that no manifest before is acceptable, and none is waited for.
  ['POST', `/v1/xorbs/default/${xorbHash}`, xorb],
]
const headers = [
  'Range',
  'Origin',
  'Content-Type',
  'Content-Length',
  'Accept',
  'X-Xet-Session-Id',
  'User-Agent',
]

function* bodies(good: Buffer): Generator<Buffer> {
  yield Buffer.alloc(0)
  for (const length of [1, 7, 8, 47, good.length - 1]) yield good.subarray(0, length)
  yield Buffer.concat([good, good])
  for (const byte of [0, 0x7f, 0xff]) yield Buffer.alloc(1000, byte)
  for (let at = 0; at < good.length; at += 5) {
    const spoiled = Buffer.from(good)
    spoiled[at] = (spoiled[at] ?? 0) ^ 0xff
    yield spoiled
  }
}

eachDatabase('bad input to the endpoints that take chunks', (world) => {
  let site: ChunkSite
  beforeAll(async () => {
    site = await new ChunkSite().open(world, 'ada')
  })

  test('is never more than a bad request', async () => {
    const wrong: string[] = []
    let n = 0
    const send = async (method: string, path: string, body?: Buffer, more: Record<string, string> = {}) => {
      if (!isTried(world.db.engine, n++, path)) return
      const answer = await site.ask(method, path, body, more)
      const told = await answer.text()
      // What a stream tells must not ask to be tried again, either.
      if (answer.status >= 500 || told.includes('"retryable":true') || told.includes('"result"'))
        wrong.push(
          `${method} ${path.slice(0, 100)} ${body?.toString('hex').slice(0, 100)}: ${told.slice(0, 200)}`,
        )
    }
    for (const [method, path, body] of addresses) {
      for (let i = 1; i < path.split('/').length; i++)
        for (const bad of hostileSegments(i)) await send(method, path.split('/').with(i, bad).join('/'), body)
      for (const name of headers)
        for (const bad of ['', '*', 'bytes=9-1', 'a'.repeat(4000), '-1', '1e9'])
          await send(method, path, body, { [name]: bad })
      if (body) for (const bad of bodies(body)) await send(method, path, bad)
    }
    expect(wrong).toEqual([])
  })
})
