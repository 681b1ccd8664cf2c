import type { Ctx } from '../../../core/ctx.ts'
import { arrivalKey, isDirect, partsInBucket } from '../bucket/bucket-uploads.ts'
import { partBytes, partCount } from './part-size.ts'
import { partsOf, type UploadRow } from '../queries.ts'

/** A part that need not be sent again. */
export interface ReceivedPart {
  n: number
  size: number
  etag: string
}

/** The parts that have arrived of an upload, here or in the bucket, by rising number. */
export async function receivedParts(ctx: Ctx, upload: UploadRow): Promise<ReceivedPart[]> {
  const here = await partsOf(ctx.db, upload.id)
  if (here.length > 0 || !isDirect(upload) || upload.status !== 'open') return here
  const parts = upload.store_upload_id ? await partsInBucket(ctx, upload) : undefined
  if (parts) return parts.map(({ n, etag, sizeBytes }) => ({ n, etag, size: sizeBytes }))
  const whole = await ctx.blobs.stat(arrivalKey(upload))
  if (whole?.sizeBytes !== upload.size) return []
  // Sent in one piece, or joined by a completion that died then: the tags are no longer needed.
  return Array.from({ length: partCount(upload) }, (_, i) => ({
    n: i + 1,
    size: partBytes(upload, i + 1) ?? 0,
    etag: '',
  }))
}
