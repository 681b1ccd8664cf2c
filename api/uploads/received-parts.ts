import type { Ctx } from '../ctx.ts'
import { partsInBucket } from './complete-direct.ts'
import { arrivalKey, isDirect } from './direct.ts'
import { partsOf, type UploadRow } from './queries.ts'

/** A part that need not be sent again. */
export interface ReceivedPart {
  n: number
  size: number
  etag: string
}

/** The parts that have arrived of an Upload, here or in the bucket, by rising number. */
export async function receivedParts(ctx: Ctx, upload: UploadRow): Promise<ReceivedPart[]> {
  const here = await partsOf(ctx.db, upload.id)
  if (here.length > 0 || !isDirect(upload) || upload.status !== 'open') return here
  if (upload.store_upload_id)
    return (await partsInBucket(ctx, upload)).map(({ n, etag, sizeBytes }) => ({ n, etag, size: sizeBytes }))
  const whole = await ctx.blobs.stat(arrivalKey(upload))
  // Nothing is joined of it, so that nobody needs its tag.
  return whole?.sizeBytes === upload.size ? [{ n: 1, size: upload.size, etag: '' }] : []
}
