import { expect, test } from 'vitest'
import { mayUse } from '../../../core/lfs/index.ts'
import {
  codeOf,
  givenContent,
  hours,
  objectRow,
  overFaulty,
  pass,
  storeCalls,
  sweepRun,
  type Content,
} from '../../../core/lfs/testing.ts'
import { SLAB_BYTES } from '../../../platform/direct-io/index.ts'
import { collect, fromChunks } from '../../../stores/storage/index.ts'
import { eachStore, givenUser } from '../../../testing.ts'
import { completeUpload } from './complete.ts'
import { uploadSweep } from '../expire/expire.ts'
import { findUpload, partsOf, setUpload } from '../queries.ts'
import { storeObject } from '../receive/store-object.ts'
import { claimsOf, freshUpload, givenRepo, givenUpload, sendPart, TinyRepo } from '../testing.ts'

eachStore('completing an upload', (world) => {
  const tiny = new TinyRepo(world)

  test('many completions at once: one does it, the others wait for its end', async () => {
    const { content, upload, parts } = await tiny.sent()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(completeUpload(tiny.ctx(), upload.id, parts))),
    )
    expect(new Set(outcomes)).toEqual(new Set(['ok']))
    expect((await freshUpload(world, upload.id)).attempt).toBe(1)
    expect(await tiny.isUsable(content.sha256)).toBe(true)
  })

  test('a completion that fails for a passing reason leaves the upload to one that waits', async () => {
    const { content, upload, parts } = await tiny.sent()
    let second: Promise<unknown> = Promise.resolve()
    let reads = 0
    const failing = overFaulty(tiny.ctx(), ({ operation }) => {
      if (operation !== 'read' || reads++ > 0) return undefined
      second = codeOf(completeUpload(tiny.ctx(), upload.id, parts))
      return { type: 'before', kind: 'transient' }
    })
    expect(await codeOf(completeUpload(failing, upload.id, parts))).toBe('store: transient')
    expect(await second).toBe('ok')
    expect(await tiny.isUsable(content.sha256)).toBe(true)
  })

  test('parts of many slabs become the object, byte for byte', async () => {
    const content = givenContent(2 * SLAB_BYTES + 77)
    const more = { part_size: SLAB_BYTES }
    const upload = await givenUpload(world, tiny.repo, tiny.owner, content, more)
    for (const n of [1, 2, 3]) await sendPart(tiny.ctx(), upload, content, n)
    await completeUpload(tiny.ctx(), upload.id, await claimsOf(world, upload.id))
    const row = await objectRow(world, content.sha256)
    const stored = await collect(await world.blobs.read(row?.key ?? ''), content.sizeBytes)
    expect(stored.equals(content.bytes)).toBe(true)
  })

  test('a completion that died is taken over once its lease has lapsed, and cannot come back', async () => {
    const { content, upload, parts } = await tiny.sent()
    const dead = {
      status: 'joining' as const,
      attempt: 1,
      lease_until: new Date(world.clock.now.getTime() + 60_000),
    }
    await world.db.write((tx) => setUpload(tx, upload.id, undefined, dead))
    const { config, ...ctx } = tiny.ctx()
    const hasty = { ...ctx, config: { ...config, lfs: { ...config.lfs, verify_wait: 0 } } }
    expect(await codeOf(completeUpload(hasty, upload.id, parts))).toBe('temporarily-unavailable')
    const waiting = completeUpload(tiny.ctx(), upload.id, parts)
    pass(world, 60_000)
    expect((await waiting).attempt).toBe(2)
    expect(await tiny.isUsable(content.sha256)).toBe(true)
  })

  test('a completion that died with an upload past its deadline is not waited for', async () => {
    const { upload, parts } = await tiny.sent()
    const lease_until = new Date(world.clock.now.getTime() + 60_000)
    await world.db.write((tx) => setUpload(tx, upload.id, undefined, { status: 'joining', lease_until }))
    pass(world, hours(168) + 1)
    expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('state-conflict')
  })

  test('a completion outlived by its lease gives way while it reads', async () => {
    const { upload, parts } = await tiny.sent()
    let reads = 0
    const slow = overFaulty(tiny.ctx(), ({ operation }) => {
      if (operation === 'read' && ++reads === 2) pass(world, hours(1))
      return undefined
    })
    const first = codeOf(completeUpload(slow, upload.id, parts))
    const second = first.then(() => completeUpload(tiny.ctx(), upload.id, parts))
    expect(await first).toBe('ok')
    expect((await second).attempt).toBe(1)
  })

  test('an upload past its deadline takes nothing more and is swept with its parts', async () => {
    const { content, upload, parts } = await tiny.sent()
    pass(world, hours(168) + 1)
    expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('state-conflict')
    expect(await codeOf(sendPart(tiny.ctx(), upload, content, 1))).toBe('state-conflict')
    expect((await uploadSweep.run(tiny.ctx(), sweepRun(world, true)))['expired']).toBeGreaterThan(0)
    expect((await freshUpload(world, upload.id)).status).toBe('open')
    await uploadSweep.run(tiny.ctx(), sweepRun(world))
    expect((await freshUpload(world, upload.id)).status).toBe('aborted')
    expect(await partsOf(world.db, upload.id)).toEqual([])
    pass(world, hours(168))
    await uploadSweep.run(tiny.ctx(), sweepRun(world))
    expect(await findUpload(world.db, upload.id)).toBeUndefined()
  })

  test('each part moves the deadline on', async () => {
    const content = givenContent()
    const upload = await givenUpload(world, tiny.repo, tiny.owner, content, { part_size: 500 })
    for (const n of [1, 2]) {
      pass(world, hours(100))
      await sendPart(tiny.ctx(), await freshUpload(world, upload.id), content, n)
    }
    expect((await completeUpload(tiny.ctx(), upload.id, await claimsOf(world, upload.id))).status).toBe(
      'complete',
    )
  })

  test('an upload to a purged repo is swept', async () => {
    const upload = await givenUpload(world, { ...tiny.repo, id: 'gone' }, tiny.owner, givenContent())
    await uploadSweep.run(tiny.ctx(), sweepRun(world))
    expect((await freshUpload(world, upload.id)).status).toBe('aborted')
  })

  test('bytes that others have are put, proved and dropped by the same steps as new ones', async () => {
    const stranger = await givenUser(world, 'stranger')
    const theirs = await givenRepo(world, stranger, 'theirs')
    const where = { repoId: theirs.id, userId: stranger.id }
    const have = givenContent()
    await storeObject(
      tiny.ctx(),
      { repoId: tiny.repo.id, userId: tiny.owner.id },
      have,
      fromChunks(have.bytes),
    )
    const run = (content: Content) =>
      storeCalls(world.ctx(stranger), (at) => storeObject(at, where, content, fromChunks(content.bytes)))
    expect(await run(have)).toEqual(await run(givenContent()))
    const parts = (content: Content) =>
      storeCalls(world.ctx(stranger), async (at) => {
        const upload = await givenUpload(world, theirs, stranger, content, { part_size: 500 })
        for (const [i] of [0, 1].entries()) await sendPart(at, upload, content, i + 1)
        await completeUpload(at, upload.id, await claimsOf(world, upload.id))
      })
    const again = givenContent()
    await storeObject(
      tiny.ctx(),
      { repoId: tiny.repo.id, userId: tiny.owner.id },
      again,
      fromChunks(again.bytes),
    )
    expect(await parts(again)).toEqual(await parts(givenContent()))
    expect(await mayUse(world.db, world.ctx(stranger), again.sha256)).toBe(true)
  })
})
