import type { BlobStat } from '../blob-store.ts'
import type { S3Bucket, S3Stat } from './bucket.ts'
import { StoreError } from '../store-error.ts'

export function taken(key: string): StoreError {
  return new StoreError('exists', key, 'the key is taken')
}

/** Asks the bucket for what was just stored there: an object of another length is deleted and was never acknowledged. */
export async function requireStored(
  bucket: S3Bucket,
  key: string,
  sizeBytes: number | undefined,
): Promise<BlobStat> {
  const stat = await bucket.head(key)
  if (!stat) throw new StoreError('transient', key, 'stored, and not to be seen')
  if (sizeBytes === undefined || stat.sizeBytes === sizeBytes) return publicStat(stat)
  await bucket.remove(key)
  throw new StoreError('transient', key, `${stat.sizeBytes} bytes arrived of ${sizeBytes}`)
}

/** What the store says of an object: whose put it was stays with the driver. */
export function publicStat({ key, sizeBytes, modifiedAt }: S3Stat): BlobStat {
  return { key, sizeBytes, modifiedAt }
}
