import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { cancelJob } from '../../core/jobs/cancel.ts'
import { retryJob } from '../../core/jobs/retry.ts'
import { gcJob } from '../../core/lfs/index.ts'
import { codeOf, hours, objectRow, overFaulty, pass, storedKeys, sweepRun } from '../../core/lfs/testing.ts'
import { eachDatabase, testConfig } from '../../testing.ts'
import { hashText } from './format/index.ts'
import { givenShard, type GivenXorb } from './format/testing.ts'
import { findXorb } from './queries.ts'
import { chunkRebuild } from './rebuild-job.ts'
import { unusedChunks } from './sweep-unused-chunks.ts'
import {
  ending,
  finish,
  freshXorb,
  givenSender,
  holds,
  refusal,
  traces,
  wholeFile,
  work,
  type Sender,
} from './testing/sender.ts'

const days = (n: number) => hours(24 * n)
const retention = days(28)
const kind = gcJob([unusedChunks])

eachDatabase('unused chunk storage is deleted', (world) => {
  let sender: Sender
  beforeEach(async () => {
    // What an earlier test left behind is collected before the next counts.
    await work(world)
    for (let i = 0; i < 3; i++) {
      pass(world, 2 * retention)
      await collect()
    }
    sender = await givenSender(world)
  })
  const collect = (dryRun = false, ctx: Ctx = world.ctx()) =>
    kind.run(
      ctx,
      { dry_run: dryRun },
      {
        id: 'gc',
        attempt: 1,
        progress: async () => undefined,
        admitEqual: async () => undefined,
        workOn: async () => undefined,
        log: () => undefined,
        ...sweepRun(world, dryRun),
      },
    ) as Promise<{ chunks: Record<string, number>; blobs: { deleted: number } }>
  const rowOf = ({ index }: GivenXorb) => findXorb(world.db, hashText(index.hash))

  test('a xorb that no shard ever named is kept for chunk.xorb_retention, then goes with its bytes and index', async () => {
    const xorb = freshXorb()
    await sender.put(xorb)
    pass(world, retention - 1)
    expect((await collect()).chunks).toMatchObject({ xorbs: 0 })
    expect(await storedKeys(world, 'xorbs/')).toHaveLength(2)
    pass(world, 1)
    expect(await collect()).toMatchObject({ chunks: { xorbs: 1 }, blobs: { deleted: 2 } })
    expect(await traces(world)).toMatchObject({ xorbs: [], sent: 0, keys: [], deletions: 0 })
    expect((await refusal(sender.describe([wholeFile(xorb)])))[1]).toContain('kept no longer')
    expect(await sender.put(xorb)).toEqual({ wasInserted: true })
  })

  test('a dry run tells the same and changes nothing', async () => {
    await sender.upload()
    const xorb = freshXorb()
    await sender.put(xorb)
    await sender.describe([{ ...wholeFile(xorb), sha256: Buffer.alloc(32, 9) }])
    await work(world)
    pass(world, retention + days(1))
    const before = await traces(world)
    const told = (await collect(true)).chunks
    expect(told).toEqual({ xorbs: 2, rebuilds: 1, pins: 0, files: 0 })
    expect(await traces(world)).toEqual(before)
    expect((await collect()).chunks).toEqual(told)
  })

  describe('its last use', () => {
    test.each([
      ['that it is sent again', (xorb: GivenXorb) => sender.put(xorb)],
      ['that a shard names it', (xorb: GivenXorb) => sender.describe([wholeFile(xorb)])],
    ])('is %s', async (_, use) => {
      const xorb = freshXorb()
      await sender.put(xorb)
      pass(world, retention - 1)
      await use(xorb)
      await work(world)
      expect((await rowOf(xorb))?.last_used_at.getTime()).toBeGreaterThan(
        world.clock.now.getTime() - hours(1),
      )
      pass(world, retention - hours(2))
      expect((await collect()).chunks).toMatchObject({ xorbs: 0 })
      pass(world, hours(2))
      expect((await collect()).chunks).toMatchObject({ xorbs: 1 })
    })

    test('is written at most once a day', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      const first = (await rowOf(xorb))?.last_used_at
      pass(world, days(1) - 1)
      await sender.put(xorb)
      await sender.describe([wholeFile(xorb)])
      expect((await rowOf(xorb))?.last_used_at).toEqual(first)
      pass(world, 1)
      await sender.put(xorb)
      expect((await rowOf(xorb))?.last_used_at).toEqual(world.clock.now)
    })

    test('is written more often when less than two days are kept', async () => {
      const config = testConfig(world.dir, { chunk: { xorb_retention: '4h' } })
      const ctx = { ...sender.ctx(), config }
      const xorb = freshXorb()
      await sender.put(xorb, ctx)
      pass(world, hours(3))
      await sender.accept(givenShard({ files: [wholeFile(xorb)] }), ctx)
      await work(world)
      pass(world, hours(3))
      expect((await collect(false, { ...world.ctx(), config })).chunks).toMatchObject({ xorbs: 0 })
    })
  })

  describe('a rebuild under way', () => {
    test('keeps its xorbs however long it takes', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const acceptance = await sender.describe([file])
      pass(world, 3 * retention)
      expect((await collect()).chunks).toEqual({ xorbs: 0, rebuilds: 0, pins: 0, files: 0 })
      expect(await storedKeys(world, 'shards/')).toHaveLength(1)
      await finish(world, acceptance)
      expect(await holds(world, file)).toBe(true)
      expect((await collect()).chunks).toMatchObject({ xorbs: 1 })
    })

    test('that gave up keeps them no longer, and is forgotten with its shard after seven days', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      await sender.describe([wholeFile(xorb)])
      const broken = overFaulty(world.ctx(), ({ operation, key }) =>
        operation === 'put' && key.startsWith('lfs/') ? { type: 'before', kind: 'transient' } : undefined,
      )
      await work(world, broken)
      expect((await collect()).chunks).toEqual({ xorbs: 0, rebuilds: 0, pins: 0, files: 0 })
      pass(world, days(7) - hours(1))
      expect((await collect()).chunks).toMatchObject({ rebuilds: 0 })
      expect(await storedKeys(world, 'shards/')).toHaveLength(1)
      pass(world, hours(1))
      expect((await collect()).chunks).toMatchObject({ rebuilds: 1, pins: 1 })
      expect(await traces(world)).toMatchObject({ rebuilds: 0, claims: 0, pins: 0 })
      expect(await storedKeys(world, 'shards/')).toEqual([])
    })

    test('that gave up can be tried again until then, while its xorbs are there', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      await sender.describe([file])
      const { jobs } = world.db.t
      const [job] = await world.db.q
        .select()
        .from(jobs)
        .where(and(eq(jobs.status, 'queued'), eq(jobs.kind, chunkRebuild.kind)))
      await cancelJob(sender.ctx(), job?.id ?? '')
      await collect()
      await retryJob(sender.ctx(), [chunkRebuild], job?.id ?? '')
      await work(world)
      expect(await holds(world, file)).toBe(true)
      expect(await traces(world)).toMatchObject({ rebuilds: 0, claims: 0, pins: 0 })
    })

    test('that was refused is remembered for seven days', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      const acceptance = await sender.describe([{ ...wholeFile(xorb), sha256: Buffer.alloc(32, 9) }])
      await work(world)
      pass(world, days(7) - hours(1))
      await collect()
      expect(await codeOf(ending(acceptance))).toBe('digest-mismatch')
      pass(world, hours(1))
      expect((await collect()).chunks).toMatchObject({ rebuilds: 1 })
      expect(await traces(world)).toMatchObject({ rebuilds: 0, claims: 0 })
    })
  })

  describe('an object', () => {
    test('is not concerned by the end of its xorbs', async () => {
      const { file, sha256 } = await sender.upload()
      const { lfs_links: l } = world.db.t
      const link = { repo_id: sender.repo.id, sha256, added_at: world.clock.now }
      await world.db.write(({ q }) => q.insert(l).values(link))
      pass(world, retention)
      expect((await collect()).chunks).toMatchObject({ xorbs: 1, files: 0 })
      expect(await holds(world, file)).toBe(true)
    })

    test('that was collected is forgotten, and the same upload puts it together again', async () => {
      const { xorb, file, sha256 } = await sender.upload()
      pass(world, days(8))
      await collect()
      pass(world, days(8))
      await collect()
      expect(await objectRow(world, sha256)).toBeUndefined()
      // Known by its row still, which must not count.
      const acceptance = await sender.describe([file])
      expect(acceptance.isDone).toBe(false)
      await finish(world, acceptance)
      expect(await holds(world, file)).toBe(true)
      pass(world, days(8))
      await collect()
      pass(world, days(8))
      await collect()
      expect((await collect()).chunks).toMatchObject({ files: 1 })
      const { chunk_files: f } = world.db.t
      expect(await world.db.q.$count(f, eq(f.sha256, sha256))).toBe(0)
      expect(await objectRow(world, sha256)).toBeUndefined()
      await sender.put(xorb)
      await finish(world, await sender.describe([file]))
      expect(await holds(world, file)).toBe(true)
    })
  })

  describe('at the moment of an upload', () => {
    test('the xorb of a shard that is being read is gone: the shard is refused as one that names an unknown xorb', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      pass(world, retention)
      const before = (await traces(world)).jobs
      let collected: Promise<unknown> = Promise.resolve()
      const slow = overFaulty(sender.ctx(), ({ operation, key }) => {
        if (operation === 'read' && key.endsWith('.idx')) collected = collect()
        return undefined
      })
      const outcome = await codeOf(sender.accept(givenShard({ files: [wholeFile(xorb)] }), slow))
      await collected
      const { pins, jobs, rebuilds } = await traces(world)
      if (outcome === 'ok') expect(await rowOf(xorb)).toBeDefined()
      else expect([outcome, pins, rebuilds, jobs]).toEqual(['invalid-request', 0, 0, before])
      await work(world)
    })

    test('a xorb that is sent again either stays or is sent once more', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      pass(world, retention)
      const [outcome] = await Promise.all([codeOf(sender.put(xorb)), collect()])
      expect(['ok', 'temporarily-unavailable']).toContain(outcome)
      if (outcome !== 'ok') await sender.put(xorb)
      await collect()
      expect(await storedKeys(world, 'xorbs/')).toHaveLength(2)
      await finish(world, await sender.describe([wholeFile(xorb)]))
    })

    test('whichever comes first, an accepted shard is put together', async () => {
      for (let round = 0; round < 10; round++) {
        const xorb = freshXorb([500])
        const file = wholeFile(xorb)
        await sender.put(xorb)
        pass(world, retention)
        const [outcome] = await Promise.all([codeOf(sender.describe([file])), collect()])
        await work(world)
        expect(await holds(world, file)).toBe(outcome === 'ok')
      }
    })
  })

  test('stray xorbs and shards of a database that was restored are found after seven days', async () => {
    const xorb = freshXorb()
    await sender.put(xorb)
    await sender.describe([wholeFile(xorb)])
    const { chunk_xorbs: x, chunk_rebuilds: r, jobs } = world.db.t
    await world.db.write(async ({ q }) => {
      await q.delete(x)
      await q.delete(r)
      await q.delete(jobs).where(eq(jobs.kind, 'chunk.rebuild'))
    })
    expect(await storedKeys(world, 'xorbs/')).toHaveLength(2)
    // The store tells its own time.
    world.clock.now = new Date(Math.max(Date.now(), world.clock.now.getTime()) + days(8))
    expect(await collect()).toMatchObject({ strays: { found: 3 }, blobs: { deleted: 3 } })
    expect(await storedKeys(world, 'xorbs/')).toEqual([])
    expect(await storedKeys(world, 'shards/')).toEqual([])
  })
})
