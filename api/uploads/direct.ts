import { setImmediate as turn } from 'node:timers/promises'
import type { Ctx } from '../ctx.ts'
import { Problem } from '../problems/index.ts'
import { blobKeys, sharesOrigin } from '../storage/index.ts'
import { partCount } from './part-size.ts'
import { beginMultipart } from './direct-queries.ts'
import { findUpload, type UploadRow } from './queries.ts'

/** The largest object of one PUT, and the largest part (Amazon S3 User Guide, "Multipart upload limits"). */
export const MAX_PUT_BYTES = 5 * 2 ** 30
/** Signatures hold no longer (Amazon S3 User Guide, "Download and upload objects with presigned URLs"). */
const MAX_URL_MS = 7 * 24 * 3_600_000
/** Requests to the store under way for one plan. */
const AT_ONCE = 16

/** Whether senders are to put their bytes into the bucket by themselves. */
export function sendsToBucket({ blobs, config }: Pick<Ctx, 'blobs' | 'config'>): boolean {
  const { s3 } = config.storage
  const isAsked = blobs.kind === 's3' && config.storage.s3.upload_mode === 'direct'
  return isAsked && !sharesOrigin(s3, config.server.public_url)
}

/** How long an address that takes bytes holds, in milliseconds. */
export const uploadUrlMs = ({ config }: Pick<Ctx, 'config'>): number =>
  Math.min(config.lfs.upload_url_ttl, MAX_URL_MS)

/** Whether its sender puts the bytes into the bucket. */
export const isDirect = (upload: Pick<UploadRow, 'store_upload_id'>): boolean =>
  upload.store_upload_id !== null

/** Where the bytes of a direct Upload arrive. Its addresses stay writable, so it is never the object's own key. */
export const arrivalKey = ({ id }: Pick<UploadRow, 'id'>): string => blobKeys.uploadWhole(id)

/**
 * Begins the store's own multipart uploads for those direct Uploads that come in parts and have none. To be called after
 * the transaction that opened them; a plan that died here is made good by the next one.
 */
export async function beginMultiparts(
  ctx: Ctx,
  opened: ReadonlyMap<string, UploadRow>,
): Promise<Map<string, UploadRow>> {
  const ready = new Map(opened)
  const wanting = [...opened].filter(([, upload]) => upload.store_upload_id === '' && partCount(upload) > 1)
  for (let at = 0; at < wanting.length; at += AT_ONCE) {
    const some = wanting.slice(at, at + AT_ONCE)
    const ids = await Promise.all(some.map(([, upload]) => ctx.blobs.createMultipart(arrivalKey(upload))))
    const begun = await ctx.db.write(async (tx) => {
      const rows: (UploadRow | undefined)[] = []
      for (const [i, [, { id }]] of some.entries()) rows.push(await beginMultipart(tx, id, ids[i] ?? ''))
      return rows
    })
    for (const [i, [key, upload]] of some.entries())
      ready.set(key, begun[i] ?? (await begunByAnother(ctx, upload, ids[i] ?? '')))
  }
  return ready
}

/** Another plan of the same Upload was faster. */
async function begunByAnother(ctx: Ctx, upload: UploadRow, storeUploadId: string): Promise<UploadRow> {
  await ctx.blobs.abortMultipart(arrivalKey(upload), storeUploadId)
  const now = await findUpload(ctx.db, upload.id)
  if (now?.status === 'open' && now.store_upload_id) return now
  throw new Problem('temporarily-unavailable', {
    detail: 'The upload has just ended; plan it again.',
    retryAfterS: 1,
  })
}

/**
 * Addresses of the bucket that take the bytes of each direct Upload, by the key it came under: one for each part. They
 * need no header of ours and no credentials.
 */
export async function bucketUrls(
  ctx: Ctx,
  uploads: ReadonlyMap<string, UploadRow>,
): Promise<Map<string, string[]>> {
  const urls = new Map<string, string[]>()
  for (const [key, upload] of uploads) {
    const found = isDirect(upload) ? await urlsOf(ctx, upload) : undefined
    if (found) urls.set(key, found)
    // Signing waits for nobody, so that nobody else would have a turn.
    if (urls.size % AT_ONCE === 0) await turn()
  }
  return urls
}

async function urlsOf(ctx: Ctx, upload: UploadRow): Promise<string[] | undefined> {
  const key = arrivalKey(upload)
  const options = { ttlS: Math.floor(uploadUrlMs(ctx) / 1000) }
  if (upload.store_upload_id)
    return ctx.blobs.presignParts(key, upload.store_upload_id, partCount(upload), options)
  const url = await ctx.blobs.presignPut(key, options)
  return url === undefined ? undefined : [url]
}
