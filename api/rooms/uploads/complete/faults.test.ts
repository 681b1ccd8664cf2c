import { expect, test } from 'vitest'
import { codeOf, givenContent, objectRow, overFaulty, storedKeys } from '../../../core/lfs/testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { failAt, type Fault } from '../../../stores/storage/testing/fault-plan.ts'
import { eachDatabase } from '../../../testing.ts'
import { completeUpload } from './complete.ts'
import { partsOf } from '../queries.ts'
import { storeObject } from '../receive/store-object.ts'
import { claimsOf, freshUpload, givenUpload, sendPart, TinyRepo } from '../testing.ts'

eachDatabase('uploads over a failing store', (world) => {
  const tiny = new TinyRepo(world)

  const faults: Fault[] = [
    { type: 'before', kind: 'transient' },
    { type: 'after', kind: 'transient' },
    { type: 'before', kind: 'full' },
    { type: 'before', kind: 'permanent' },
    { type: 'short' },
    { type: 'flip' },
  ]
  test.each(faults)(
    'no failure of the store makes a false success or loses the upload: %o',
    async (fault) => {
      for (let n = 1; ; n++) {
        const { content, upload, parts } = await tiny.sent()
        let isHit = false
        const faulty = overFaulty(tiny.ctx(), (io) => {
          const found = failAt(n, fault)(io)
          isHit ||= found !== undefined
          // A store that turns bits while it writes is found by the deep check alone.
          return fault.type === 'flip' && !io.key.startsWith('uploads/') ? undefined : found
        })
        const outcome = await codeOf(completeUpload(faulty, upload.id, parts))
        const { status } = await freshUpload(world, upload.id)
        if (outcome === 'ok') {
          expect(status).toBe('complete')
          const row = (await objectRow(world, content.sha256)) ?? expect.fail('no object')
          const stored: Uint8Array[] = []
          for await (const chunk of await world.blobs.read(row.key)) stored.push(chunk)
          expect(Buffer.concat(stored).equals(content.bytes)).toBe(true)
        } else {
          expect(await objectRow(world, content.sha256)).toBeUndefined()
          // Bytes that came out wrong end the upload; whatever may pass keeps it with its parts.
          const isWrong = outcome === 'digest-mismatch' || outcome === 'size-mismatch'
          expect(status, `${String(outcome)} at ${n}`).toBe(isWrong ? 'aborted' : 'open')
          expect(await claimsOf(world, upload.id)).toEqual(isWrong ? [] : parts)
          if (!isWrong) expect((await completeUpload(tiny.ctx(), upload.id, parts)).status).toBe('complete')
        }
        if (!isHit) break
      }
    },
  )

  test('a part that is lost is asked for again', async () => {
    const { content, upload, parts } = await tiny.sent()
    const [first] = await partsOf(world.db, upload.id)
    await world.blobs.delete(first?.key ?? '')
    expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('store-unavailable')
    expect(await codeOf(completeUpload(tiny.ctx(), upload.id, parts))).toBe('validation-failed')
    await sendPart(tiny.ctx(), await freshUpload(world, upload.id), content, 1)
    expect((await completeUpload(tiny.ctx(), upload.id, parts)).status).toBe('complete')
  })

  test('a part whose put fails at any step can be sent again', async () => {
    for (const fault of faults.slice(0, 4))
      for (let n = 1; n <= 3; n++) {
        const content = givenContent(500)
        const upload = await givenUpload(world, tiny.repo, tiny.owner, content, { part_size: 500 })
        await codeOf(sendPart(overFaulty(tiny.ctx(), failAt(n, fault)), upload, content, 1))
        await sendPart(tiny.ctx(), upload, content, 1)
        expect((await completeUpload(tiny.ctx(), upload.id, await claimsOf(world, upload.id))).status).toBe(
          'complete',
        )
      }
    expect(await storedKeys(world, 'uploads/')).toEqual(await namedParts())
  })
  const namedParts = async () => {
    const { upload_parts: p, blob_deletions: d } = world.db.t
    const parts = (await world.db.q.select({ key: p.key }).from(p)).map(({ key }) => key)
    const listed = (await world.db.q.select({ key: d.key }).from(d)).map(({ key }) => key)
    const stored = await storedKeys(world, 'uploads/')
    return stored.filter((key) => parts.includes(key) || listed.includes(key))
  }

  test('an object put in one piece survives every failing step or is not there', async () => {
    for (const fault of faults.slice(0, 4))
      for (let n = 1; n <= 3; n++) {
        const content = givenContent()
        const at = overFaulty(tiny.ctx(), failAt(n, fault))
        const put = storeObject(
          at,
          { repoId: tiny.repo.id, userId: tiny.owner.id },
          content,
          fromChunks(content.bytes),
        )
        const outcome = await codeOf(put)
        expect((await objectRow(world, content.sha256)) !== undefined).toBe(outcome === 'ok')
        expect(await tiny.isUsable(content.sha256)).toBe(outcome === 'ok')
      }
  })
})
