import { expect, test } from 'vitest'
import type { Ctx } from '../../../core/ctx.ts'
import { JobRunner } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { checkPointers } from '../../../core/lfs/index.ts'
import {
  codeOf,
  collect as collectGarbage,
  hours,
  namedKeys,
  objectRow,
  overFaulty,
  pass,
  storedKeys,
  sweepRun,
} from '../../../core/lfs/testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import { failAt, type Fault } from '../../../stores/storage/testing/fault-plan.ts'
import { eachDatabase } from '../../../testing.ts'
import { completeUpload } from './complete.ts'
import { directUploads, arrivalKey, staysWhereItArrives } from '../bucket/bucket-uploads.ts'
import { uploadSweep } from '../expire/expire.ts'
import { findMissing } from '../open-uploads.ts'
import { receivedParts } from '../receive/received-parts.ts'
import { verifyJoined } from './start-verification.ts'
import { freshUpload, givenArrived, givenLink, TinyRepo } from '../testing.ts'
import { lfsVerify } from './verify-job.ts'

eachDatabase('verifying what is in the bucket, over a failing store', (world) => {
  const tiny = new TinyRepo(world)
  type Arrived = Awaited<ReturnType<typeof givenArrived>>
  const given = (isWhole: boolean) => givenArrived(world, tiny.repo, tiny.owner, { isWhole })

  /** The object is whole and its sender's; what came in one PUT is not left where it arrived, and what came in parts is there. */
  async function expectVerified({ content, upload }: Arrived, note: string) {
    expect((await freshUpload(world, upload.id)).status, note).toBe('complete')
    const row = (await objectRow(world, content.sha256)) ?? expect.fail('no object')
    expect((await collect(await world.blobs.read(row.key), 5000)).equals(content.bytes), note).toBe(true)
    expect(await tiny.isUsable(content.sha256), note).toBe(true)
    const arrival = arrivalKey(upload)
    if (staysWhereItArrives(upload)) expect(row.key, note).toBe(arrival)
    else expect(await world.blobs.stat(arrival), note).toBeUndefined()
  }

  /** Completes as clients do, until nothing stands in the way; jobs are tried again when their time has come. */
  async function bringHome({ upload, parts }: Arrived) {
    await completeUpload(tiny.ctx(), upload.id, parts)
    pass(world, hours(1))
    await runJobs(world.deps, [lfsVerify])
  }

  /** Whether `plan` was met; `work` is done over it. */
  async function faultAt(n: number, fault: Fault, work: (faulty: Ctx) => Promise<unknown>) {
    let isHit = false
    const faulty = overFaulty(tiny.ctx(), (io) => {
      const found = failAt(n, fault)(io)
      isHit ||= found !== undefined
      return found
    })
    await work(faulty)
    return isHit
  }

  const faults: Fault[] = [
    { type: 'before', kind: 'transient' },
    { type: 'after', kind: 'transient' },
    { type: 'short' },
    { type: 'flip' },
  ]
  for (const isWhole of [false, true]) {
    const way = isWhole ? 'in one piece' : 'in parts'

    test.each(isWhole ? faults.slice(0, 1) : faults)(
      `${way}, no failure of the store makes a false success or loses the upload: %o`,
      async (fault) => {
        for (let n = 1, isHit = true; isHit; n++) {
          const arrived = await given(isWhole)
          isHit = await faultAt(n, fault, async (faulty) => {
            const code = await codeOf(completeUpload(faulty, arrived.upload.id, arrived.parts))
            expect(['ok', 'store: transient'], `step ${n}`).toContain(code)
            await runJobs(faulty, [lfsVerify])
          })
          const { status } = await freshUpload(world, arrived.upload.id)
          expect((await objectRow(world, arrived.content.sha256)) !== undefined).toBe(status === 'complete')
          await bringHome(arrived)
          const { blob_deletions: d } = world.db.t
          const listed = (await world.db.q.select().from(d)).map(({ key }) => key)
          const arrival = arrivalKey(arrived.upload)
          if (!isWhole) expect(listed, `step ${n}`).not.toContain(arrival)
          // Deleted late where the store would not delete it at once.
          else if (await world.blobs.stat(arrival)) {
            expect(listed).toContain(arrival)
            await world.blobs.delete(arrival)
          }
          await expectVerified(arrived, `step ${n}`)
        }
      },
    )

    test(`${way}, a server that dies at any step loses nothing, and what it still does changes nothing`, async () => {
      for (let n = 1, isHit = true; isHit; n++) {
        const arrived = await given(isWhole)
        const dying = await dieAt(n, async (faulty) => {
          await completeUpload(faulty, arrived.upload.id, arrived.parts)
          await runJobs(faulty, [lfsVerify])
        })
        isHit = dying.isHit
        pass(world, hours(1))
        await requeueLapsed()
        await bringHome(arrived)
        const before = await objectRow(world, arrived.content.sha256)
        await dying.wakeUp()
        await expectVerified(arrived, `step ${n}`)
        expect((await objectRow(world, arrived.content.sha256))?.key).toBe(before?.key)
      }
    })
  }

  /** Does `work` until it hangs at step `n` of the store, as a server that was killed or frozen there. */
  async function dieAt(n: number, work: (faulty: Ctx) => Promise<unknown>) {
    let hang: () => void = () => undefined
    const hanging = new Promise<'hangs'>((resolve) => (hang = () => resolve('hangs')))
    const faulty = overFaulty(tiny.ctx(), (io) => {
      const found = failAt(n, { type: 'stall' })(io)
      if (found) hang()
      return found
    })
    const ending = work(faulty).then(
      () => 'ends',
      () => 'ends',
    )
    return {
      isHit: (await Promise.race([ending, hanging])) === 'hangs',
      wakeUp: async () => {
        if ('release' in faulty.blobs) (faulty.blobs as { release(): void }).release()
        await ending
      },
    }
  }

  /** As a worker does with jobs of one that has fallen silent. */
  async function requeueLapsed() {
    const runner = new JobRunner(world.deps, { kinds: [], clock: async () => world.clock.now, pollMs: 5 })
    await runner.start()
    const { jobs } = world.db.t
    const isRunning = async () =>
      (await world.db.q.select({ status: jobs.status }).from(jobs)).some(({ status }) => status === 'running')
    while (await isRunning()) await new Promise((resolve) => setTimeout(resolve, 5))
    await runner.stop(1000)
  }

  test('what was joined outlives what is swept after its upload, and bytes that are there already are deleted', async () => {
    const first = await given(false)
    await bringHome(first)
    const again = await givenArrived(world, tiny.repo, tiny.owner, { content: first.content, isWhole: false })
    await completeUpload(tiny.ctx(), again.upload.id, again.parts)
    // Until its job has run, the upload alone keeps what was joined.
    expect(await namedKeys(world.db, [arrivalKey(again.upload)])).toContain(arrivalKey(again.upload))
    await runJobs(world.deps, [lfsVerify])
    expect((await freshUpload(world, again.upload.id)).status).toBe('complete')
    expect(await world.blobs.stat(arrivalKey(again.upload))).toBeUndefined()
    await givenLink(world, tiny.repo, first.content)
    for (const swept of ['aborted', 'forgotten']) {
      const counts = await uploadSweep.run(tiny.ctx(), sweepRun(world))
      expect(counts[swept], JSON.stringify(counts)).toBeGreaterThanOrEqual(2)
      pass(world, hours(24 * 30))
      await collectGarbage(world)
    }
    const row = (await objectRow(world, first.content.sha256)) ?? expect.fail('no object')
    expect(row.key).toBe(arrivalKey(first.upload))
    expect((await collect(await world.blobs.read(row.key), 5000)).equals(first.content.bytes)).toBe(true)
  })

  test('the commit that waits for wrong bytes learns of them, and nothing of them is kept', async () => {
    for (const isWhole of [false, true]) {
      const content = (await given(true)).content
      const wrong = Buffer.from(content.bytes)
      wrong[7] = (wrong[7] ?? 0) ^ 1
      const before = await storedKeys(world)
      const { upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, {
        content,
        bytes: wrong,
        isWhole,
      })
      expect((await completeUpload(tiny.ctx(), upload.id, parts)).status).toBe('verifying')
      expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('ok')
      const pointer = { sha256: content.sha256, sizeBytes: content.sizeBytes }
      expect((await checkPointers(world.db, tiny.ctx(), tiny.repo.id, [pointer])).completing).toEqual([
        pointer,
      ])
      await runJobs(world.deps, [lfsVerify])
      expect((await freshUpload(world, upload.id)).status).toBe('aborted')
      expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('digest-mismatch')
      const { missing, reasons } = await checkPointers(world.db, tiny.ctx(), tiny.repo.id, [pointer])
      expect([missing, reasons.get(content.sha256)]).toEqual([
        [pointer],
        expect.stringContaining(`Expected SHA-256 ${content.sha256}`),
      ])
      expect(await storedKeys(world)).toEqual(before)
    }
  })

  test('more or fewer bytes than announced end the upload at its completion', async () => {
    for (const isWhole of [false, true]) {
      const content = (await given(true)).content
      const bytes = content.bytes.subarray(1)
      const { upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { content, bytes, isWhole })
      expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('size-mismatch')
      expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('size-mismatch')
      expect(await world.blobs.stat(arrivalKey(upload))).toBeUndefined()
    }
  })

  test('a completion that died when the parts were joined: all of them count as sent, and no plan asks for them again', async () => {
    const { content, upload, parts } = await given(false)
    await directUploads(world).complete(arrivalKey(upload), upload.store_upload_id ?? '', parts)
    const sent = await receivedParts(tiny.ctx(), upload)
    expect(sent.map(({ n, size }) => [n, size])).toEqual([
      [1, 500],
      [2, 500],
    ])
    const owner = { repoId: tiny.repo.id, userId: tiny.owner.id }
    const missing = () => world.db.write((tx) => findMissing(tx, owner, [content], new Set()))
    expect(await missing()).toHaveLength(1)
    expect(await verifyJoined(tiny.ctx(), owner, [content])).toBe(true)
    expect(await missing()).toEqual([])
    await runJobs(world.deps, [lfsVerify])
    await expectVerified({ content, upload, parts }, 'joined')
  })
})
