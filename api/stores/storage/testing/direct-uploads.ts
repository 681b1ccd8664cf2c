import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { BlobStore, DirectUploads, StoredPart } from '../blob-store.ts'
import { fromChunks } from '../bytes.ts'
import {
  type Cases,
  MIB,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  givenTroubledSource,
  listKeys,
  readAll,
} from './conformance-given.ts'
import type { StoreErrorKind } from '../store-error.ts'

/** The smallest part S3 joins, the last one excepted (Multipart upload limits, Amazon S3 User Guide). */
const PART_BYTES = 5 * MIB

/** What the store must have for these cases. */
function directOf({ direct }: BlobStore): DirectUploads {
  if (!direct) throw new Error('the store takes no direct uploads')
  return direct
}

async function givenPart(
  store: BlobStore,
  uploadId: string,
  n: number,
  sizeBytes = PART_BYTES,
): Promise<StoredPart> {
  return directOf(store).putPart('a/b', uploadId, n, fromChunks(givenBytes(sizeBytes, n)), { sizeBytes })
}

/** The direct uploads of a store that has them. */
export const directCases: Cases = {
  'refuses what is no key': async (store) => {
    for (const key of ['', '/a', 'a//b', '../a', 'A'])
      await expectKind(directOf(store).create(key), 'permanent')
  },

  'joins parts that came in any order': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const third = await givenPart(store, uploadId, 3, 11)
    const first = await givenPart(store, uploadId, 1)
    const second = await givenPart(store, uploadId, 2, PART_BYTES + 1)
    expect(await directOf(store).listParts('a/b', uploadId)).toEqual([first, second, third])
    expect(await store.stat('a/b')).toBeUndefined()
    const stat = await directOf(store).complete('a/b', uploadId, [first, second, third])
    expect(stat).toMatchObject({ key: 'a/b', sizeBytes: 2 * PART_BYTES + 12 })
    const whole = [givenBytes(PART_BYTES, 1), givenBytes(PART_BYTES + 1, 2), givenBytes(11, 3)]
    expectBytes(await readAll(store, 'a/b'), Buffer.concat(whole))
    await expectKind(directOf(store).listParts('a/b', uploadId), 'missing')
    await store.delete('a/b')
  },

  'one part is the object': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const stat = await directOf(store).complete('a/b', uploadId, [await givenPart(store, uploadId, 4, 100)])
    expect(stat).toMatchObject({ sizeBytes: 100 })
    expectBytes(await readAll(store, 'a/b'), givenBytes(100, 4))
    expect(await store.stat('a/b')).toEqual(stat)
    await store.delete('a/b')
  },

  'a part put again replaces the first': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const stale = await directOf(store).putPart('a/b', uploadId, 1, fromChunks(givenBytes(30, 8)))
    const fresh = await directOf(store).putPart('a/b', uploadId, 1, fromChunks(givenBytes(30, 9)))
    expect(await directOf(store).listParts('a/b', uploadId)).toEqual([fresh])
    await expectKind(directOf(store).complete('a/b', uploadId, [stale]), 'corrupt')
    await directOf(store).complete('a/b', uploadId, [fresh])
    expectBytes(await readAll(store, 'a/b'), givenBytes(30, 9))
    await store.delete('a/b')
  },

  'leaves out the parts it is not given': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const first = await givenPart(store, uploadId, 1)
    await givenPart(store, uploadId, 2)
    const last = await givenPart(store, uploadId, 9, 5)
    await directOf(store).complete('a/b', uploadId, [first, last])
    expect(await store.stat('a/b')).toMatchObject({ sizeBytes: PART_BYTES + 5 })
    await store.delete('a/b')
  },

  'a wrong completion keeps every part for the next try': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const first = await givenPart(store, uploadId, 1)
    const second = await givenPart(store, uploadId, 2, 20)
    const wrong = [
      [],
      [second, first],
      [first, first],
      [first, { n: 2, etag: first.etag }],
      [first, { n: 3, etag: second.etag }],
      [first, second, { n: 3, etag: 'never' }],
    ]
    for (const parts of wrong) await expectKind(directOf(store).complete('a/b', uploadId, parts), 'corrupt')
    expect(await listKeys(store, '')).toEqual([])
    expect(await directOf(store).listParts('a/b', uploadId)).toEqual([first, second])
    await directOf(store).complete('a/b', uploadId, [first, second])
    await store.delete('a/b')
  },

  'a completion onto an object is refused and keeps both': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const part = await givenPart(store, uploadId, 1, 9)
    const bytes = await givenObject(store, 'a/b')
    await expectKind(directOf(store).complete('a/b', uploadId, [part]), 'exists')
    expectBytes(await readAll(store, 'a/b'), bytes)
    expect(await directOf(store).listParts('a/b', uploadId)).toEqual([part])
    await directOf(store).abort('a/b', uploadId)
    await store.delete('a/b')
  },

  'a completed or aborted upload is gone': (store) => expectGone(store, 'missing'),

  'an upload belongs to its key': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const part = await givenPart(store, uploadId, 1, 9)
    for (const [key, id] of [
      ['a/c', uploadId],
      ['a/b', 'unknown'],
      ['a/b', '../..'],
    ] as const) {
      await expectKind(directOf(store).putPart(key, id, 1, fromChunks(givenBytes(1))), 'missing')
      await expectKind(directOf(store).listParts(key, id), 'missing')
      await expectKind(directOf(store).complete(key, id, [part]), 'missing')
      await directOf(store).abort(key, id)
    }
    expect(await directOf(store).listParts('a/b', uploadId)).toEqual([part])
    await directOf(store).abort('a/b', uploadId)
  },

  'part numbers run from 1 to 10 000': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    for (const n of [0, -1, 1.5, 10_001, NaN])
      await expectKind(directOf(store).putPart('a/b', uploadId, n, fromChunks(givenBytes(1))), 'permanent')
    await givenPart(store, uploadId, 10_000, 1)
    await directOf(store).abort('a/b', uploadId)
  },

  'a part that fails leaves the one before it': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const part = await givenPart(store, uploadId, 1, 9)
    const error = new Error('cut')
    const put = directOf(store).putPart('a/b', uploadId, 1, givenTroubledSource([givenBytes(2 * MIB)], error))
    await expect(put).rejects.toBe(error)
    const short = directOf(store).putPart('a/b', uploadId, 1, fromChunks(givenBytes(3)), { sizeBytes: 4 })
    await expectKind(short, 'corrupt')
    const stall = new AbortController()
    const silent = directOf(store).putPart('a/b', uploadId, 1, givenTroubledSource([givenBytes(3)]), {
      signal: stall.signal,
    })
    await sleep(10)
    stall.abort(error)
    await expect(silent).rejects.toBe(error)
    expect(await directOf(store).listParts('a/b', uploadId)).toEqual([part])
    await directOf(store).abort('a/b', uploadId)
  },

  'parts arrive side by side': async (store) => {
    const uploadId = await directOf(store).create('a/b')
    const numbers = [1, 2, 3, 4, 5, 6]
    const parts = await Promise.all(numbers.map((n) => givenPart(store, uploadId, n)))
    await directOf(store).complete('a/b', uploadId, parts)
    const whole = Buffer.concat(numbers.map((n) => givenBytes(PART_BYTES, n)))
    expectBytes(await readAll(store, 'a/b'), whole)
    await store.delete('a/b')
  },
}

/**
 * A completed and an aborted upload take no part, which fails as `kind`, list none and complete nothing; what was completed
 * stays as it is, for its sender is not to change what was proved there.
 */
export async function expectGone(store: BlobStore, kind: StoreErrorKind): Promise<void> {
  const completed = await directOf(store).create('a/b')
  const part = await givenPart(store, completed, 1, 9)
  await directOf(store).complete('a/b', completed, [part])
  const aborted = await directOf(store).create('a/b')
  await givenPart(store, aborted, 1, 9)
  await directOf(store).abort('a/b', aborted)
  await directOf(store).abort('a/b', aborted)
  for (const uploadId of [completed, aborted]) {
    await expectKind(directOf(store).putPart('a/b', uploadId, 2, fromChunks(givenBytes(1))), kind)
    await expectKind(directOf(store).listParts('a/b', uploadId), 'missing')
    await expectKind(directOf(store).complete('a/b', uploadId, [part]), 'missing')
    await directOf(store).abort('a/b', uploadId)
  }
  expectBytes(await readAll(store, 'a/b'), givenBytes(9, 1))
  await store.delete('a/b')
}
