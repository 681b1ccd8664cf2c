import { expect, test } from 'vitest'
import type { Ctx } from '../../../core/ctx.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import {
  codeOf,
  collect as collectGarbage,
  givenContent,
  objectRow,
  overFaulty,
  pass,
  sweepRun,
  type Content,
} from '../../../core/lfs/testing.ts'
import { collect, fromChunks } from '../../../stores/storage/index.ts'
import { after, before, eachDatabase, hold } from '../../../testing.ts'
import { completeUpload } from '../complete/complete.ts'
import { directUploads, arrivalKey, beginMultiparts, uploadUrlMs } from './bucket-uploads.ts'
import { uploadSweep } from '../expire/expire.ts'
import { freshUpload, givenArrived, givenUpload, TinyRepo } from '../testing.ts'
import { lfsVerify } from '../complete/verify-job.ts'
import { verifyObject } from '../complete/verify-object.ts'

eachDatabase('an upload into the bucket between two looks', (world) => {
  const tiny = new TinyRepo(world)
  const sweepUploads = (ctx: Ctx) => uploadSweep.run(ctx, sweepRun(world))

  async function expectObject({ sha256, bytes }: Content): Promise<void> {
    const row = (await objectRow(world, sha256)) ?? expect.fail('no object')
    expect((await collect(await world.blobs.read(row.key), 5000)).equals(bytes)).toBe(true)
    expect(await tiny.isUsable(sha256)).toBe(true)
  }

  /** Keys that are to be deleted, at once or later. */
  const listedKeys = async () => {
    const { blob_deletions: d } = world.db.t
    return (await world.db.q.select({ key: d.key }).from(d)).map(({ key }) => key)
  }

  const verify = (ctx: Ctx) => runJobs(ctx, [lfsVerify])

  test('an upload that was swept while it was verified stays aborted, and nothing is made of its bytes', async () => {
    for (const isWhole of [false, true]) {
      const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { isWhole })
      await completeUpload(tiny.ctx(), upload.id, parts)
      const verifying = await hold(tiny.ctx(), after('read'), verify)
      const { expires_at } = await freshUpload(world, upload.id)
      pass(world, expires_at.getTime() - world.clock.now.getTime())
      await sweepUploads(tiny.ctx())
      expect((await freshUpload(world, upload.id)).status).toBe('aborted')
      const listed = await listedKeys()
      expect(listed).toContain(arrivalKey(upload))
      await verifying.resume()
      expect((await freshUpload(world, upload.id)).status).toBe('aborted')
      expect(await objectRow(world, content.sha256)).toBeUndefined()
      // Its addresses may be written to yet: what arrives late is deleted because the key stays listed.
      expect(await listedKeys()).toEqual(expect.arrayContaining(listed))
    }
  })

  test('a late run that finds other bytes neither ends what another has verified nor deletes it', async () => {
    const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner)
    await completeUpload(tiny.ctx(), upload.id, parts)
    const wrong = overFaulty(tiny.ctx(), ({ operation }) =>
      operation === 'chunk' ? { type: 'flip' } : undefined,
    )
    const { job_id } = await freshUpload(world, upload.id)
    // The queue refuses the writes of such a run; here they pass, so that the room's own look is what counts.
    const unfenced = (ctx: Ctx) => {
      const { signal } = new AbortController()
      const nothing = async () => undefined
      const write = ctx.db.write.bind(ctx.db)
      const job = {
        id: job_id ?? '',
        attempt: 1,
        signal,
        progress: nothing,
        admitEqual: nothing,
        workOn: nothing,
        log: () => undefined,
        write,
      }
      return lfsVerify.run(ctx, { objects: 1, bytes: content.sizeBytes }, job)
    }
    const late = await hold(wrong, after('read'), unfenced)
    await verify(tiny.ctx())
    expect((await freshUpload(world, upload.id)).status).toBe('complete')
    await late.resume()
    expect(await freshUpload(world, upload.id)).toMatchObject({ status: 'complete', problem: null })
    await expectObject(content)
  })

  test('what is put to an address of an ended upload as long as that holds is deleted', async () => {
    const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { isWhole: true })
    await completeUpload(tiny.ctx(), upload.id, parts)
    await verify(tiny.ctx())
    expect(await world.blobs.stat(arrivalKey(upload))).toBeUndefined()
    await collectGarbage(world)
    pass(world, uploadUrlMs(tiny.ctx()) - 1)
    await world.blobs.put(arrivalKey(upload), fromChunks(Buffer.from('late')))
    await collectGarbage(world)
    pass(world, 1)
    await collectGarbage(world)
    expect(await world.blobs.stat(arrivalKey(upload))).toBeUndefined()
    await expectObject(content)
  })

  test('an object is not reported as missing when its verification ends between the two looks for it', async () => {
    const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { isWhole: true })
    await completeUpload(tiny.ctx(), upload.id, parts)
    const owner = { repoId: tiny.repo.id, userId: tiny.owner.id }
    const asking = await hold(tiny.ctx(), after(/from "(?:uploads|lfs_objects)"/), (ctx) =>
      verifyObject(ctx, owner, content),
    )
    await verify(tiny.ctx())
    expect(await codeOf(asking.resume())).toBe('ok')
  })

  test('two plans begin one multipart upload, and both give out that', async () => {
    const content = givenContent()
    const more = { part_size: 500, via: 'bucket-parts' as const }
    const planned = await givenUpload(world, tiny.repo, tiny.owner, content, more)
    const plan = async (ctx: Ctx) =>
      (await beginMultiparts(ctx, new Map([['', planned]]))).get('')?.store_upload_id
    const slow = await hold(tiny.ctx(), after('createMultipart'), plan)
    const begun = await plan(tiny.ctx())
    expect(await slow.resume()).toBe(begun)
    expect((await freshUpload(world, planned.id)).store_upload_id).toBe(begun)
    expect(await directUploads(world).listParts(arrivalKey(planned), begun ?? '')).toEqual([])
  })

  test('a completion that comes late begins nothing of what is verified already', async () => {
    for (const isWhole of [false, true]) {
      const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { isWhole })
      const late = await hold(tiny.ctx(), before('write'), (ctx) => completeUpload(ctx, upload.id, parts))
      await completeUpload(tiny.ctx(), upload.id, parts)
      await verify(tiny.ctx())
      expect((await late.resume()).status).toBe('complete')
      expect((await freshUpload(world, upload.id)).status).toBe('complete')
      await verify(tiny.ctx())
      await expectObject(content)
    }
  })

  test('nor does one that has seen too few bytes end it', async () => {
    const content = givenContent()
    const cut = { content, bytes: content.bytes.subarray(1), isWhole: true }
    const { upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, cut)
    const late = await hold(tiny.ctx(), after('stat'), (ctx) => completeUpload(ctx, upload.id, parts))
    await world.blobs.delete(arrivalKey(upload))
    await world.blobs.put(arrivalKey(upload), fromChunks(content.bytes))
    await completeUpload(tiny.ctx(), upload.id, parts)
    expect(await codeOf(late.resume())).toBe('size-mismatch')
    await verify(tiny.ctx())
    expect(await freshUpload(world, upload.id)).toMatchObject({ status: 'complete', problem: null })
    await expectObject(content)
  })
})
