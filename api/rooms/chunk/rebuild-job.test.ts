import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { cancelJob } from '../../core/jobs/cancel.ts'
import type { Execution } from '../../core/jobs/execution.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { checkPointers } from '../../core/lfs/index.ts'
import { codeOf, objectRow, overFaulty, pass, storeCalls, storedKeys } from '../../core/lfs/testing.ts'
import { FaultyBlobStore } from '../../stores/storage/testing/faulty.ts'
import type { Io } from '../../stores/storage/testing/fault-plan.ts'
import { eachDatabase } from '../../testing.ts'
import { hashText } from './format/index.ts'
import { givenShard, givenXorb } from './format/testing.ts'
import { putXorb } from './put-xorb.ts'
import { chunkRebuild } from './rebuild-job.ts'
import {
  acceptedShard,
  claimedRebuild,
  ending,
  fileOf,
  finish,
  freshXorb,
  givenSender,
  holds,
  isObjectPut,
  lastRebuild,
  refusal,
  stepsOf,
  traces,
  wholeFile,
  work,
  type Sender,
} from './testing/sender.ts'
import { endThreads, tasksUnderWay } from './threads/pool.ts'

const hex = (sha256: Buffer) => sha256.toString('hex')

eachDatabase('the job that puts files together', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  const given = (n = 1, lengthBytes = 700) => acceptedShard(sender, n, lengthBytes)
  const jobOf = () => lastRebuild(world)
  const claimed = (ctx?: Ctx) => claimedRebuild(world, ctx)
  /** The store, which tells each step to `hear` before it is taken. */
  const hearing = (hear: (io: Io) => void) =>
    overFaulty(world.ctx(), (io) => {
      hear(io)
      return undefined
    })

  describe('a file of many runs', () => {
    test('has those of two xorbs apart, though the numbers of their chunks join', async () => {
      const [a, b] = [freshXorb([900, 800, 700]), freshXorb([600, 500, 400, 300])]
      await sender.put(a)
      await sender.put(b)
      const file = fileOf([
        { xorb: a, start: 0, end: 2 },
        { xorb: b, start: 2, end: 3 },
        { xorb: b, start: 3, end: 4 },
        { xorb: a, start: 2, end: 3 },
        { xorb: a, start: 0, end: 2 },
      ])
      await finish(world, await sender.describe([file]))
      expect(await holds(world, file)).toBe(true)
    })

    test('is whole where its chunks fill slabs to the last byte, and where they lie across two', async () => {
      const full = 128 * 1024
      const even = freshXorb(Array.from({ length: 65 }, () => full))
      const odd = freshXorb(Array.from({ length: 100 }, () => 100_003))
      const files = [wholeFile(even), wholeFile(odd)]
      await sender.put(even)
      await sender.put(odd)
      await finish(world, await sender.describe(files))
      for (const file of files) expect(await holds(world, file)).toBe(true)
    })
  })

  describe('a file whose bytes have another SHA-256', () => {
    test('is refused by name, and the commit that needs it fails with the reason', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      const sha256 = Buffer.alloc(32, 1)
      await sender.put(xorb)
      const before = await traces(world)
      const acceptance = await sender.describe([{ ...file, sha256 }])
      await work(world)
      const [code, detail] = await refusal(ending(acceptance))
      expect(code).toBe('digest-mismatch')
      expect(detail).toContain(`was sent as SHA-256 ${hex(sha256)}, but its bytes have ${hex(file.sha256)}`)
      const pointer = { sha256: hex(sha256), sizeBytes: file.plain.length }
      const checked = await checkPointers(world.db, sender.ctx(), sender.repo.id, [pointer])
      expect(checked).toEqual({
        missing: [pointer],
        completing: [],
        reasons: new Map([[hex(sha256), detail]]),
      })
      const { objects, grants, keys, pins } = await traces(world)
      expect({ objects, grants, keys, pins }).toEqual({
        objects: before.objects,
        grants: before.grants,
        keys: before.keys,
        pins: before.pins,
      })
    })

    test('does not keep the other files of its shard from becoming objects', async () => {
      const xorb = freshXorb([900, 901, 902])
      await sender.put(xorb)
      const files = [0, 1, 2].map((start) => fileOf([{ xorb, start, end: start + 1 }]))
      const lies = files.map((file, i) => (i === 1 ? { ...file, sha256: Buffer.alloc(32, 2) } : file))
      const acceptance = await sender.describe(lies)
      await work(world)
      expect(await codeOf(ending(acceptance))).toBe('digest-mismatch')
      const stored = await Promise.all(files.map(({ sha256 }) => sender.mayUse(hex(sha256))))
      expect(stored).toEqual([true, false, true])
    })

    test('is put together when it comes again with the true one', async () => {
      const xorb = freshXorb()
      const file = wholeFile(xorb)
      await sender.put(xorb)
      const lie = await sender.describe([{ ...file, sha256: Buffer.alloc(32, 3) }])
      await work(world)
      expect(await codeOf(ending(lie))).toBe('digest-mismatch')
      await finish(world, await sender.describe([file]))
      expect(await sender.mayUse(hex(file.sha256))).toBe(true)
    })

    test('gives no access to an existing object with the stated SHA-256', async () => {
      const other = await givenSender(world)
      const { sha256: known } = await other.upload()
      const xorb = freshXorb()
      await sender.put(xorb)
      const acceptance = await sender.describe([{ ...wholeFile(xorb), sha256: Buffer.from(known, 'hex') }])
      await work(world)
      expect(await codeOf(ending(acceptance))).toBe('digest-mismatch')
      expect(await sender.mayUse(known)).toBe(false)
    })
  })

  describe('begun again', () => {
    test('after it was done it changes nothing', async () => {
      await given(3)
      const job = await jobOf()
      await work(world)
      const before = await traces(world)
      const { jobs } = world.db.t
      await world.db.write(({ q }) => q.update(jobs).set({ status: 'queued' }).where(eq(jobs.id, job.id)))
      await work(world)
      expect(await traces(world)).toEqual(before)
      expect((await jobOf()).status).toBe('succeeded')
    })

    test('after a crash between files it does the rest alone', async () => {
      // Too large to be taken together.
      const { files, acceptance } = await given(3, 70_000)
      const large = freshXorb(Array.from({ length: 40 }, () => 120_000))
      await sender.put(large)
      const more = await sender.describe([wholeFile(large)])
      let puts = 0
      const crashing = overFaulty(world.ctx(), (io) =>
        isObjectPut(io) && ++puts > 3 ? { type: 'before', kind: 'transient' } : undefined,
      )
      await runJobs(crashing, [chunkRebuild])
      for (const { sha256 } of files) expect(await sender.mayUse(hex(sha256))).toBe(true)
      expect(await sender.mayUse(hex(wholeFile(large).sha256))).toBe(false)
      pass(world, 60_000)
      const calls = await storeCalls(world.ctx(), (ctx) => runJobs(ctx, [chunkRebuild]))
      expect(calls.filter((call) => call === 'put')).toHaveLength(1)
      expect(await holds(world, wholeFile(large))).toBe(true)
      for (const one of [acceptance, more]) await stepsOf(one)
    })
  })

  describe('taken from its worker', () => {
    test('it changes nothing once another has it, and keeps no bytes', async () => {
      const { file, acceptance } = await given()
      const before = await traces(world)
      const { jobs } = world.db.t
      let taken: Promise<unknown> = Promise.resolve()
      // The bytes stand still until the job is another's: Postgres would let the two writes pass each other.
      const blobs = new FaultyBlobStore(world.blobs, (io) => {
        if (!isObjectPut(io)) return undefined
        taken = world.db
          .write(({ q }) =>
            q.update(jobs).set({ status: 'queued', worker: null }).where(eq(jobs.status, 'running')),
          )
          .finally(() => blobs.release())
        return { type: 'stall' }
      })
      await (await claimed({ ...world.ctx(), blobs })).run()
      await taken
      expect(await traces(world)).toEqual(before)
      await finish(world, acceptance)
      expect(await sender.mayUse(hex(file.sha256))).toBe(true)
    })

    test.each([undefined, { type: 'stall' }] as const)('while it works, it stops: %o', async (fault) => {
      const { acceptance } = await given()
      const before = await traces(world)
      const executions: Execution[] = []
      const interrupting = overFaulty(world.ctx(), (io) => {
        if (!isObjectPut(io)) return undefined
        executions[0]?.interrupt('stopping')
        return fault
      })
      executions.push(await claimed(interrupting))
      await executions[0]?.run()
      expect(await traces(world)).toEqual(before)
      expect([tasksUnderWay(), (await jobOf()).status]).toEqual([0, 'queued'])
      await finish(world, acceptance)
    })

    test('cancelled, it tells its sender so; the next upload begins again', async () => {
      const { files, file, acceptance } = await given()
      await cancelJob(sender.ctx(), (await jobOf()).id)
      expect((await refusal(ending(acceptance)))[0]).toBe('state-conflict')
      const pointer = { sha256: hex(file.sha256), sizeBytes: file.plain.length }
      const checked = await checkPointers(world.db, sender.ctx(), sender.repo.id, [pointer])
      expect(checked).toMatchObject({ missing: [pointer], completing: [] })
      await finish(world, await sender.describe(files))
      expect(await sender.mayUse(hex(file.sha256))).toBe(true)
    })

    test('cancelled, it tells its sender to send the content again, which begins another', async () => {
      const { files, file, acceptance } = await given()
      const joined = await sender.describe(files)
      await cancelJob(sender.ctx(), (await jobOf()).id)
      for (const one of [acceptance, joined]) expect(await codeOf(ending(one))).toBe('state-conflict')
      await finish(world, await sender.describe(files))
      expect(await sender.mayUse(hex(file.sha256))).toBe(true)
    })
  })

  describe('given up', () => {
    test.each([
      ['transient', 'temporarily-unavailable'],
      ['full', 'storage-full'],
      ['permanent', 'internal'],
    ] as const)(
      'over a store that stays %s, its sender hears %s, and may send it again',
      async (kind, code) => {
        const { files, file, acceptance } = await given()
        const broken = overFaulty(world.ctx(), (io) =>
          isObjectPut(io) ? { type: 'before', kind } : undefined,
        )
        await work(world, broken)
        expect((await jobOf()).status).toBe('failed')
        expect(await codeOf(ending(acceptance))).toBe(code)
        expect(await objectRow(world, hex(file.sha256))).toBeUndefined()
        await finish(world, await sender.describe(files))
        expect(await holds(world, file)).toBe(true)
      },
    )
  })

  describe('when its thread dies', () => {
    /** The store, at whose first such step every thread ends. */
    const dyingAt = (isHit: (io: Io) => boolean) => {
      let isOver = false
      return hearing((io) => {
        if (isOver || !isHit(io)) return
        isOver = true
        void endThreads()
      })
    }
    test('it is tried again', async () => {
      const { file, acceptance } = await given()
      await work(world, dyingAt(isObjectPut))
      expect(await ending(acceptance)).toMatchObject({ verifiedBytes: file.plain.length })
      expect((await jobOf()).attempt).toBe(2)
      expect(await holds(world, file)).toBe(true)
    })

    test('the sender of a xorb is asked to send it again', async () => {
      const xorb = freshXorb([100_000])
      const before = await traces(world)
      const source = (async function* () {
        yield xorb.body.subarray(0, 50_000)
        await endThreads()
        yield xorb.body.subarray(50_000)
      })()
      const put = putXorb(sender.ctx(), sender.writer, hashText(xorb.index.hash), source)
      expect(await codeOf(put)).toBe('temporarily-unavailable')
      expect(await traces(world)).toEqual(before)
      expect(await sender.put(xorb)).toEqual({ wasInserted: true })
    })

    test('the sender of a shard is asked to send it again', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      const before = await traces(world)
      const shard = givenShard({ files: [wholeFile(xorb)] })
      const dying = dyingAt(({ operation, key }) => operation === 'read' && key.endsWith('.idx'))
      expect(await codeOf(sender.accept(shard, dying))).toBe('temporarily-unavailable')
      expect(await traces(world)).toEqual(before)
      await finish(world, await sender.accept(shard))
    })
  })

  describe('a folder in one shard', () => {
    test('becomes objects by few looks at what its files share', async () => {
      const { files, acceptance } = await given(70, 20)
      const reads = { shard: 0, index: 0 }
      const counting = hearing(({ operation, key }) => {
        if (operation === 'read' && key.startsWith('shards/')) reads.shard++
        if (operation === 'read' && key.endsWith('.idx')) reads.index++
      })
      await work(world, counting)
      expect(await ending(acceptance)).toMatchObject({ verifiedBytes: 70 * 20 })
      for (const file of files) expect(await holds(world, file)).toBe(true)
      // The first eight begin at once.
      expect(reads.index).toBeLessThanOrEqual(8)
      expect(reads.shard).toBe(1)
    })

    test('where two files have the same bytes, cut in two ways, has one object of them', async () => {
      const [one, two] = [Buffer.alloc(300, 1), Buffer.alloc(400, 2)]
      const xorb = givenXorb([one, two, Buffer.concat([one, two])].map((plain) => ({ plain })))
      const ways = [fileOf([{ xorb, start: 0, end: 2 }]), fileOf([{ xorb, start: 2, end: 3 }])]
      const [file = expect.fail('no file')] = ways
      await sender.put(xorb)
      const { objects, files, claims, deletions, pins } = await traces(world)
      const acceptance = await sender.describe(ways)
      const calls = await storeCalls(world.ctx(), (ctx) => work(world, ctx))
      await ending(acceptance)
      expect(calls.filter((call) => call === 'put')).toHaveLength(2)
      expect((await storedKeys(world, 'lfs/')).filter((key) => key.includes(hex(file.sha256)))).toHaveLength(
        1,
      )
      expect(await jobOf()).toMatchObject({ progress_done: 1400, progress_total: 1400 })
      const after = await traces(world)
      expect(after).toMatchObject({ objects: objects + 1, files: files + 2, claims, deletions, pins })
      expect(await holds(world, file)).toBe(true)
      expect(await sender.mayUse(hex(file.sha256))).toBe(true)
    })

    test('where the first of two files is said to be the second, has the second', async () => {
      const xorb = freshXorb([900, 901])
      const [lie, file] = [0, 1].map((start) => fileOf([{ xorb, start, end: start + 1 }]))
      if (!lie || !file) return expect.fail('no files')
      await sender.put(xorb)
      const acceptance = await sender.describe([{ ...lie, sha256: file.sha256 }, file])
      await work(world)
      expect(await codeOf(ending(acceptance))).toBe('digest-mismatch')
      expect([await holds(world, lie), await holds(world, file)]).toEqual([false, true])
    })
  })
})
