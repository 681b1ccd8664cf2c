import { drain, hashing, StoreError, type BlobStore, type Digest } from '../../stores/storage/index.ts'

/** What bytes should be, as far as that is known. */
export interface Expected {
  sizeBytes?: number | undefined
  sha256?: string | undefined
}

/** The bytes of a source are not what they should be. */
export class Damaged extends Error {}

/** Refuses bytes that are not what they should be. */
export function requireSound({ hex, sizeBytes }: Digest, expected: Expected): void {
  if (expected.sizeBytes !== undefined && expected.sizeBytes !== sizeBytes)
    throw new Damaged(`${sizeBytes} bytes instead of ${expected.sizeBytes}`)
  if (expected.sha256 !== undefined && expected.sha256 !== hex)
    throw new Damaged(`the bytes have the SHA-256 ${hex} instead of ${expected.sha256}`)
}

/** Reads an object to its end; answers size and SHA-256. */
export async function digestOf(store: BlobStore, key: string, signal?: AbortSignal): Promise<Digest> {
  const hashed = hashing(await store.read(key, undefined, signal), 'sha256')
  await drain(hashed.source)
  return hashed.digest()
}

/** One object of a store, in another under a key that may be another. */
interface Way {
  from: BlobStore
  fromKey: string
  to: BlobStore
  toKey: string
}

/**
 * Copies an object unless it is there already; answers what the copy is and whether it was made now. Throws `Damaged`, with
 * nothing left behind, when the bytes are not what they should be, and StoreError `missing` when there are none. One that is
 * there with another size is replaced: a copy by other means may have broken off.
 */
export async function copyBlob(
  { from, fromKey, to, toKey }: Way,
  expected: Expected,
  signal?: AbortSignal,
): Promise<Digest & { isNew: boolean }> {
  const present = await to.stat(toKey)
  if (present) {
    const found = await digestOf(to, toKey, signal)
    if (isSound(found, expected)) return { ...found, isNew: false }
    await to.delete(toKey)
  }
  const hashed = hashing(await from.read(fromKey, undefined, signal), 'sha256')
  try {
    await to.put(toKey, hashed.source, {
      isUncached: true,
      ...(signal && { signal }),
      ...(expected.sizeBytes !== undefined && { sizeBytes: expected.sizeBytes }),
    })
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'corrupt') throw new Damaged(error.message)
    throw error
  }
  const digest = await hashed.digest()
  if (!isSound(digest, expected)) {
    await to.delete(toKey)
    requireSound(digest, expected)
  }
  return { ...digest, isNew: true }
}

function isSound(digest: Digest, expected: Expected): boolean {
  try {
    requireSound(digest, expected)
    return true
  } catch {
    return false
  }
}
