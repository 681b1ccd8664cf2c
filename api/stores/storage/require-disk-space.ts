import { Problem } from '../../platform/problems/index.ts'
import type { BlobStore } from './blob-store.ts'
import { fullDetail, lackingBytes } from './disk-space.ts'

/**
 * Asks the disk before `bytes` are written to it, above what stays in reserve; a bucket has no end. `what` is to be
 * written: "the archive". Throws Problem `storage-full`.
 */
export async function requireDiskSpace(
  blobs: Pick<BlobStore, 'freeSpace'>,
  bytes: number,
  what: string,
): Promise<void> {
  const space = await blobs.freeSpace()
  const lacking = space ? lackingBytes(space, bytes) : 0
  if (lacking > 0) throw new Problem('storage-full', { detail: fullDetail(lacking, bytes, what) })
}
