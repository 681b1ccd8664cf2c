import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { BlobStat } from '../blob-store.ts'
import { type S3Bucket, wholeSeconds } from './bucket.ts'
import { StoreError } from '../store-error.ts'

/** Objects whose key starts with `prefix`, a page of a thousand at a time; what else lies in the bucket is left out. */
export async function* listObjects(bucket: S3Bucket, prefix: string): AsyncGenerator<BlobStat> {
  for (let token: string | undefined; ;) {
    const command = new ListObjectsV2Command({ ...bucket.below(prefix), ContinuationToken: token })
    const page = await bucket.call(prefix, (client, attempt) => client.send(command, attempt))
    for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
      const key = bucket.keyOf(Key)
      if (key) yield { key, sizeBytes: Size, modifiedAt: wholeSeconds(LastModified) }
    }
    if (!page.IsTruncated) return
    if (!page.NextContinuationToken || page.NextContinuationToken === token)
      throw new StoreError('transient', prefix, 'a list that does not go on')
    token = page.NextContinuationToken
  }
}

/** A multipart upload that was neither completed nor aborted. */
export interface OpenMultipart {
  key: string
  /** As S3 calls it. */
  id: string
  begunAt: Date
}

/** Every unfinished multipart upload below the store's prefix. */
export async function* listMultiparts(bucket: S3Bucket): AsyncGenerator<OpenMultipart> {
  for (let at: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
    const command = new ListMultipartUploadsCommand({ ...bucket.below(''), ...at })
    const page = await bucket.call('', (client, attempt) => client.send(command, attempt))
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      const key = bucket.keyOf(Key)
      if (key && UploadId && Initiated) yield { key, id: UploadId, begunAt: Initiated }
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page
    if (!IsTruncated) return
    if (!NextKeyMarker || (NextKeyMarker === at.KeyMarker && NextUploadIdMarker === at.UploadIdMarker))
      throw new StoreError('transient', '', 'a list of uploads that does not go on')
    at = { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker ? { UploadIdMarker: NextUploadIdMarker } : {}) }
  }
}
