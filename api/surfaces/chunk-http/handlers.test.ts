import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { eachStore } from '../../testing.ts'
import { givenShard } from '../../rooms/chunk/format/testing/shard.ts'
import {
  ChunkSite,
  failure,
  linesOf,
  ready,
  sha256,
  shard,
  whileWorking,
  xorb,
  xorbHash,
} from '../../rooms/chunk/testing.ts'

eachStore('the endpoints that take chunks', (world) => {
  let site: ChunkSite
  beforeAll(async () => {
    site = await new ChunkSite().open(world, 'ada')
  })
  const working = <T>(body: () => Promise<T>) => whileWorking(world, body)

  describe('a chunk container', () => {
    test('is taken once, at every address clients know, whatever its type is called', async () => {
      const inserted: unknown[] = []
      for (const path of ['/v1/xorbs/default', '/xorbs/default', '/xorb/default-merkledb']) {
        const type = { 'Content-Type': 'application/json' }
        const answer = await site.ask('POST', `${path}/${xorbHash}`, xorb, type)
        expect(answer.status).toBe(200)
        inserted.push(await answer.json())
      }
      expect(inserted).toEqual([{ was_inserted: true }, { was_inserted: false }, { was_inserted: false }])
    })

    test('is known to its sender alone', async () => {
      const bob = await new ChunkSite().open(world, 'bob')
      expect((await site.ask('HEAD', `/xorb/default/${xorbHash}`)).status).toBe(200)
      expect((await bob.ask('HEAD', `/xorb/default/${xorbHash}`)).status).toBe(404)
      const sent = await bob.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)
      expect(await sent.json()).toEqual({ was_inserted: true })
    })

    test('with another hash, or of no form, is refused by name', async () => {
      const other = 'a'.repeat(64)
      expect(await failure(await site.ask('POST', `/v1/xorbs/default/${other}`, xorb))).toEqual([
        400,
        expect.stringContaining(other),
      ])
      const cut = await site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb.subarray(0, 10))
      expect((await failure(cut))[0]).toBe(400)
      const empty = await site.ask('POST', `/v1/xorbs/default/${xorbHash}`)
      expect((await failure(empty))[0]).toBe(400)
    })

    test.each([
      ['a short hash', `/v1/xorbs/default/${xorbHash.slice(1)}`],
      ['an upper-case hash', `/v1/xorbs/default/${xorbHash.toUpperCase()}`],
      ['a prefix in capitals', `/v1/xorbs/DEFAULT/${xorbHash}`],
      ['a long prefix', `/v1/xorbs/${'a'.repeat(33)}/${xorbHash}`],
    ])('at an address with %s is a bad request', async (_, path) => {
      expect((await failure(await site.ask('POST', path, xorb)))[0]).toBe(400)
    })

    test('that is announced too large is refused before it is read', async () => {
      const headers = { 'Content-Length': String(65 * 2 ** 20 + 1) }
      const answer = await site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb, headers)
      expect(answer.headers.get('connection')).toBe('close')
      expect((await failure(answer))[0]).toBe(413)
    })
  })

  describe('a manifest', () => {
    const v2 = async (body: Buffer, at = site) => {
      const answer = await working(async () => at.ask('POST', '/v2/shards', body))
      return { answer, lines: await working(() => linesOf(answer)) }
    }

    test('becomes an object its sender may commit, and its stream ends with the result', async () => {
      await site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)
      const { answer, lines } = await v2(shard)
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      })
      expect(lines.slice(-4)).toEqual([
        { type: 'validating', verified: 12, total: 12 },
        { type: 'committing', stage: 'uploading' },
        { type: 'committing', stage: 'syncing' },
        { type: 'result', result: 1 },
      ])
      const commit = await site.app.request(`/api/models/ada/${site.repo.name}/commit/main`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${site.hubToken}` },
        body: [
          { key: 'header', value: { summary: 'hello' } },
          { key: 'lfsFile', value: { path: 'hello.bin', algo: 'sha256', oid: sha256, size: 12 } },
        ]
          .map((line) => JSON.stringify(line))
          .join('\n'),
      })
      expect(commit.status).toBe(200)
      const file = await site.app.request(`/ada/${site.repo.name}/resolve/main/hello.bin`, {
        headers: { Authorization: `Bearer ${site.hubToken}` },
      })
      expect(await file.text()).toBe('Hello World!')
    })

    test.each([
      ['POST', '/v1/shards'],
      ['POST', '/shards'],
      ['POST', `/shard/default/${'b'.repeat(64)}`],
      ['PUT', `/shard/default/${'b'.repeat(64)}`],
    ])('is taken by %s %s, too', async (method, path) => {
      await site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)
      const answer = await working(async () => site.ask(method, path, shard))
      expect([answer.status, await answer.json()]).toEqual([200, { result: 1 }])
    })

    test('that names what its sender has not sent says so to the person', async () => {
      const eve = await new ChunkSite().open(world, 'eve')
      const { answer, lines } = await v2(shard, eve)
      expect(answer.status).toBe(200)
      expect(lines).toEqual([{ type: 'error', message: expect.stringContaining(xorbHash), retryable: false }])
      expect(await failure(await eve.ask('POST', '/v1/shards', shard))).toEqual([
        400,
        expect.stringContaining(xorbHash),
      ])
    })

    test('of no form is an error in the stream, and a bad request to older clients', async () => {
      const { lines } = await v2(Buffer.from('no shard'))
      expect(lines).toMatchObject([{ type: 'error', retryable: false }])
      expect((await failure(await site.ask('POST', '/v1/shards', givenShard({ version: 9 }))))[0]).toBe(400)
    })

    test('of files larger than allowed is 413 by every address, before any stream', async () => {
      const small = {
        ...world.deps,
        config: { ...world.deps.config, chunk: { ...world.deps.config.chunk, max_file_size: 11 } },
      }
      const limited = Object.assign(new ChunkSite(), site, { app: buildApp(small, ready) })
      for (const path of ['/v2/shards', '/v1/shards', '/shards']) {
        const [status, text] = await failure(await limited.ask('POST', path, shard))
        expect([status, text]).toEqual([413, expect.stringContaining('chunk.max_file_size')])
      }
    })

    test('beyond the quota fails with the figures, where clients show them', async () => {
      const quin = await new ChunkSite().open(world, 'quin')
      await quin.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)
      await world.db.write(({ q, t: { namespaces: n } }) =>
        q.update(n).set({ quota_bytes: 1 }).where(eq(n.name, 'quin')),
      )
      const message = expect.stringMatching(/^quin holds \d+ of at most 1 bytes, and this would add 12\.$/)
      const { answer, lines } = await v2(shard, quin)
      expect([answer.status, lines]).toEqual([200, [{ type: 'error', message, retryable: false }]])
      expect(await failure(await quin.ask('POST', '/v1/shards', shard))).toEqual([413, message])
    })

    test('that is announced too large is refused before it is read', async () => {
      for (const path of ['/v2/shards', '/v1/shards']) {
        const answer = await site.ask('POST', path, shard, { 'Content-Length': String(128 * 2 ** 20 + 1) })
        expect(answer.headers.get('connection')).toBe('close')
        expect((await failure(answer))[0]).toBe(413)
      }
    })
  })

  test.each(['/v1/chunks/default', '/chunks/default', '/chunk/default-merkledb'])(
    'no chunk is ever revealed: GET %s',
    async (path) => {
      await site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)
      const answer = await site.ask('GET', `${path}/${xorbHash}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
      expect((await site.ask('GET', `${path}/x`)).status).toBe(400)
      expect((await site.ask('GET', `${path}/${xorbHash}`, undefined, { Authorization: '' })).status).toBe(
        401,
      )
    },
  )

  test.each([
    ['GET', `/v1/reconstructions/${xorbHash}`],
    ['GET', `/v2/reconstructions/${xorbHash}`],
    ['GET', '/v1/reconstructions'],
    ['POST', '/v1/reconstructions'],
    ['GET', `/v2/file-chunk-hashes/${xorbHash}`],
    ['HEAD', `/v1/files/${xorbHash}`],
    ['GET', `/v1/xorbs/default/${xorbHash}`],
    ['DELETE', `/v1/xorbs/default/${xorbHash}`],
    ['GET', '/v2/shards'],
    ['GET', '/something/else'],
  ])('nothing is at %s %s', async (method, path) => {
    expect((await site.ask(method, path)).status).toBe(404)
  })

  test('telemetry is dropped', async () => {
    const answer = await site.ask('POST', '/v1/telemetry', Buffer.from('{"a":1}'))
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    expect((await site.ask('POST', '/v1/telemetry', Buffer.alloc(2 ** 20 + 1))).status).toBe(413)
  })
})
