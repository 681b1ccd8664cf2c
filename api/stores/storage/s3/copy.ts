import { randomUUID } from 'node:crypto'
import { CopyObjectCommand } from '@aws-sdk/client-s3'
import type { BlobStat } from '../blob-store.ts'
import { PUT_ID, type S3Bucket } from './bucket.ts'
import { requireStored, taken } from './stored.ts'
import { StoreError } from '../store-error.ts'

/** Copies within the bucket, 5 GiB at most (CopyObject, Amazon S3 API Reference); no byte passes here. */
export async function copyObject(
  bucket: S3Bucket,
  { from, to }: { from: string; to: string },
): Promise<BlobStat> {
  const [source, target] = await Promise.all([bucket.head(from), bucket.head(to)])
  if (!source) throw new StoreError('missing', from, 'no such object')
  if (target) throw taken(to)
  const { Bucket, Key } = bucket.at(from)
  return bucket.exclusively(to, async () => {
    if (await bucket.head(to)) throw taken(to)
    const Metadata = { [PUT_ID]: randomUUID() }
    const CopySource = `${Bucket}/${Key}`
    const request = { ...bucket.at(to), CopySource, Metadata, MetadataDirective: 'REPLACE' as const }
    await bucket.call(to, (client, attempt) => client.send(new CopyObjectCommand(request), attempt))
    return requireStored(bucket, to, source.sizeBytes)
  })
}
