import { Problem } from '../problems/index.ts'
import type { BlobStore } from './blob-store.ts'

/**
 * Asks the disk before `bytes` are written to it; a bucket has no end. `what` is to be written: "the archive". Throws
 * Problem `storage-full`.
 */
export async function requireSpace(
  blobs: Pick<BlobStore, 'freeSpace'>,
  bytes: number,
  what: string,
): Promise<void> {
  const space = await blobs.freeSpace()
  if (space && space.freeBytes < bytes)
    throw new Problem('storage-full', {
      detail: `There is not room enough on the disk for ${what}, which would take ${bytes} bytes.`,
    })
}
