import { createHash } from 'node:crypto'
import type { BlobStore } from '../../../stores/storage/index.ts'
import { OID_BYTES } from '../objects/oid.ts'

/** The last 20 bytes of a pack, index or bitmap, and the SHA-1 of all bytes before, which they should be; 40-hex. */
export async function readTrailer(
  blobs: Pick<BlobStore, 'read'>,
  key: string,
): Promise<{ trailer: string; hash: string; sizeBytes: number }> {
  const hash = createHash('sha1')
  let held = Buffer.alloc(0)
  let sizeBytes = 0
  for await (const chunk of await blobs.read(key)) {
    sizeBytes += chunk.length
    const bytes = Buffer.concat([held, chunk])
    hash.update(bytes.subarray(0, Math.max(0, bytes.length - OID_BYTES)))
    held = bytes.subarray(-OID_BYTES)
  }
  return { trailer: held.toString('hex'), hash: hash.digest('hex'), sizeBytes }
}
