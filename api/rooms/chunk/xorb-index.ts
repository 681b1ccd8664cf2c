import { blobKeys, collect, type BlobStore } from '../../stores/storage/index.ts'
import { own } from './threads/messages.ts'

/** Of 8192 chunks: a hash, an end and a length each, after the count (chunk-upload.md §10). */
const MAX_INDEX_BYTES = 4 + 8192 * 40

/** The encoded index of a stored xorb. */
export async function readIndex(
  { blobs }: { blobs: Pick<BlobStore, 'read'> },
  { key }: { key: string },
): Promise<Uint8Array> {
  const bytes = await collect(await blobs.read(blobKeys.xorbIndex(key)), MAX_INDEX_BYTES)
  return own(new Uint8Array(bytes))
}

/**
 * What a thread remembers an index by: within one manifest, from its check to the end of its job. Remembered for all, it
 * would be quicker where others have read it.
 */
export const indexName = (shardKey: string, xorbKey: string): string => `${shardKey} ${xorbKey}`
