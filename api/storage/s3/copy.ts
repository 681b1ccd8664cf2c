import { randomUUID } from 'node:crypto'
import { CopyObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import type { BlobStat } from '../blob-store.ts'
import { PUT_ID, type S3Bucket } from './bucket.ts'
import type { S3Multiparts } from './multipart.ts'
import { requireStored, taken } from './stored.ts'
import { StoreError } from '../store-error.ts'

/** Largest object that one request copies (CopyObject, Amazon S3 API Reference). */
const MAX_COPY_BYTES = 5 * 2 ** 30

/** Size of copied parts: 5 TiB, the largest object, has 5 120 of them. */
const PART_BYTES = 2 ** 30
const PARTS_AT_ONCE = 4

/** Copies within the bucket; no byte passes here. Larger objects than `maxBytes` go in parts of at most `partBytes`. */
export async function copyObject(
  bucket: S3Bucket,
  multiparts: S3Multiparts,
  { from, to }: { from: string; to: string },
  { maxBytes = MAX_COPY_BYTES, partBytes = PART_BYTES } = {},
): Promise<BlobStat> {
  const [source, target] = await Promise.all([bucket.head(from), bucket.head(to)])
  if (!source) throw new StoreError('missing', from, 'no such object')
  if (target) throw taken(to)
  const { Bucket, Key } = bucket.at(from)
  const CopySource = `${Bucket}/${Key}`
  if (source.sizeBytes > maxBytes)
    return copyParts(bucket, multiparts, { to, CopySource, sizeBytes: source.sizeBytes, partBytes })
  return bucket.inTurn(to, async () => {
    if (await bucket.head(to)) throw taken(to)
    const Metadata = { [PUT_ID]: randomUUID() }
    const request = { ...bucket.at(to), CopySource, Metadata, MetadataDirective: 'REPLACE' as const }
    await bucket.call(to, (client, attempt) => client.send(new CopyObjectCommand(request), attempt))
    return requireStored(bucket, to, source.sizeBytes)
  })
}

async function copyParts(
  bucket: S3Bucket,
  multiparts: S3Multiparts,
  {
    to,
    CopySource,
    sizeBytes,
    partBytes,
  }: { to: string; CopySource: string; sizeBytes: number; partBytes: number },
): Promise<BlobStat> {
  const uploadId = await multiparts.create(to)
  const request = { ...bucket.at(to), UploadId: multiparts.idOf(to, uploadId), CopySource }
  const count = Math.ceil(sizeBytes / partBytes)
  const parts: { n: number; etag: string }[] = []
  let next = 1
  const work = async () => {
    for (let n = next++; n <= count; n = next++) {
      const end = Math.min(n * partBytes, sizeBytes) - 1
      const CopySourceRange = `bytes=${(n - 1) * partBytes}-${end}`
      const command = new UploadPartCopyCommand({ ...request, PartNumber: n, CopySourceRange })
      const { CopyPartResult } = await bucket.call(to, (client, attempt) => client.send(command, attempt))
      parts.push({ n, etag: (CopyPartResult?.ETag ?? '').replaceAll('"', '') })
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work))
    parts.sort((a, b) => a.n - b.n)
    return await multiparts.complete(to, uploadId, parts, sizeBytes)
  } catch (error) {
    next = count + 1
    await multiparts.abort(to, uploadId).catch(() => undefined)
    throw error
  }
}
