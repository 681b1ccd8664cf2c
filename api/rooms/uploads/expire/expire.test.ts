import { expect, test } from 'vitest'
import { hours, pass, sweepRun } from '../../../core/lfs/testing.ts'
import { eachDatabase } from '../../../testing.ts'
import { directUploads, arrivalKey } from '../bucket/bucket-uploads.ts'
import { uploadSweep } from './expire.ts'
import { freshUpload, givenArrived, TinyRepo } from '../testing.ts'

eachDatabase('an upload past its deadline', (world) => {
  const tiny = new TinyRepo(world)
  const stateOf = async (id: string) => {
    const { status, store_upload_id } = await freshUpload(world, id)
    return { status, store_upload_id }
  }

  test('ends with what the store has begun for it; a dry run counts, one that is stopped does nothing', async () => {
    const { upload } = await givenArrived(world, tiny.repo, tiny.owner)
    const { store_upload_id } = upload
    const parts = () => directUploads(world).listParts(arrivalKey(upload), store_upload_id ?? '')
    pass(world, hours(168) + 1)
    const dry = await uploadSweep.run(tiny.ctx(), sweepRun(world, true))
    expect(dry).toEqual({ expired: 1, aborted: 0, forgotten: 0 })
    const stopped = { ...sweepRun(world), signal: AbortSignal.abort(new Error('stopped')) }
    await expect(uploadSweep.run(tiny.ctx(), stopped)).rejects.toThrow('stopped')
    expect(await stateOf(upload.id)).toEqual({ status: 'open', store_upload_id })
    expect(await parts()).toHaveLength(2)
    const swept = await uploadSweep.run(tiny.ctx(), sweepRun(world))
    expect(swept).toEqual({ expired: 1, aborted: 1, forgotten: 0 })
    expect(await stateOf(upload.id)).toEqual({ status: 'aborted', store_upload_id: null })
    await expect(parts()).rejects.toMatchObject({ kind: 'missing' })
  })
})
