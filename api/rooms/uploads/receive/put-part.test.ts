import { expect, test } from 'vitest'
import { codeOf, givenContent, overFaulty } from '../../../core/lfs/testing.ts'
import type { StoreErrorKind } from '../../../stores/storage/index.ts'
import { eachDatabase } from '../../../testing.ts'
import { directUploads, arrivalKey } from '../bucket/bucket-uploads.ts'
import { joinedParts } from '../complete/join-parts.ts'
import { setUpload } from '../queries.ts'
import { givenArrived, givenUpload, sendPart, TinyRepo } from '../testing.ts'

eachDatabase('a part that comes through here', (world) => {
  const tiny = new TinyRepo(world)

  test.each<[StoreErrorKind, string]>([
    ['transient', 'store: transient'],
    ['missing', 'state-conflict'],
    ['corrupt', 'size-mismatch'],
  ])('is answered by what the store says: %s is %s', async (kind, code) => {
    const { content, upload } = await givenArrived(world, tiny.repo, tiny.owner)
    const ctx = overFaulty(tiny.ctx(), ({ operation }) =>
      operation === 'putPart' ? { type: 'before', kind } : undefined,
    )
    expect(await codeOf(sendPart(ctx, upload, content, 1))).toBe(code)
  })

  test('is refused once its upload has ended, and changes nothing there', async () => {
    const { content, upload } = await givenArrived(world, tiny.repo, tiny.owner)
    const before = await directUploads(world).listParts(arrivalKey(upload), upload.store_upload_id ?? '')
    await world.db.write((tx) => setUpload(tx, upload.id, undefined, { status: 'aborted' }))
    const other = { ...content, bytes: Buffer.alloc(content.sizeBytes) }
    expect(await codeOf(sendPart(tiny.ctx(), upload, other, 1))).toBe('state-conflict')
    expect(await directUploads(world).listParts(arrivalKey(upload), upload.store_upload_id ?? '')).toEqual(
      before,
    )
  })

  test.each([
    [16 * 1024 * 1024, true],
    [500, false],
  ])('of %i bytes: whether the joined bytes lie as a disk wants them is %s', async (part_size, expected) => {
    const upload = await givenUpload(world, tiny.repo, tiny.owner, givenContent(), { part_size })
    expect(joinedParts(tiny.ctx(), upload, []).inSlabs !== undefined).toBe(expected)
  })
})
