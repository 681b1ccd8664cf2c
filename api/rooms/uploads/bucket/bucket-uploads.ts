import { setImmediate as turn } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import {
  blobKeys,
  sharesOrigin,
  StoreError,
  type DirectUploads,
  type StoredPart,
} from '../../../stores/storage/index.ts'
import { partCount } from '../receive/part-size.ts'
import { beginMultipart } from './queries.ts'
import { findUpload, type UploadRow } from '../queries.ts'

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

/** The store's own uploads; without them an upload cannot have been planned as a direct one. */
export function directUploads({ blobs }: Pick<Ctx, 'blobs'>): DirectUploads {
  if (!blobs.direct) throw new Error(`a store of kind ${blobs.kind} takes no direct uploads`)
  return blobs.direct
}

/** How long an address that takes bytes holds, in milliseconds. */
export const uploadUrlMs = ({ config }: Pick<Ctx, 'config'>): number =>
  Math.min(config.lfs.upload_url_ttl, MAX_URL_MS)

/** Whether its sender puts the bytes into the bucket. */
export const isDirect = ({ via }: Pick<UploadRow, 'via'>): boolean => via !== 'server'

/**
 * Whether the bytes of a direct upload stay where they arrive. Once parts are joined their addresses take nothing any more;
 * the one of a single PUT does, so that what it took is copied.
 */
export const staysWhereItArrives = (upload: Pick<UploadRow, 'size' | 'part_size'>): boolean =>
  partCount(upload) > 1

/** Where the bytes of a direct upload arrive: the object's own key, unless its sender could write there again. */
export function arrivalKey(upload: Pick<UploadRow, 'id' | 'sha256' | 'size' | 'part_size'>): string {
  const { id, sha256 } = upload
  return staysWhereItArrives(upload) ? blobKeys.lfsObject(sha256, id) : blobKeys.uploadWhole(id)
}

/**
 * The parts in the bucket of an upload that is sent there; `undefined` when the store knows of no such multipart upload:
 * joined, aborted, or never begun.
 */
export async function partsInBucket(
  ctx: Pick<Ctx, 'blobs'>,
  upload: UploadRow,
): Promise<StoredPart[] | undefined> {
  try {
    return await directUploads(ctx).listParts(arrivalKey(upload), upload.store_upload_id ?? '')
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') return undefined
    throw error
  }
}

/**
 * Begins the store's own multipart uploads for those direct uploads that come in parts and have none, or one that the
 * store has ended: buckets have rules for what rests too long. To be called after the transaction that opened them; a
 * plan that died here is made good by the next one.
 */
export async function beginMultiparts(
  ctx: Ctx,
  opened: ReadonlyMap<string, UploadRow>,
): Promise<Map<string, UploadRow>> {
  const ready = new Map(opened)
  const inParts = [...opened].filter(([, upload]) => isDirect(upload) && staysWhereItArrives(upload))
  for (let at = 0; at < inParts.length; at += AT_ONCE)
    for (const [key, upload] of await beginSome(ctx, inParts.slice(at, at + AT_ONCE))) ready.set(key, upload)
  return ready
}

/** Answers those that were begun. */
async function beginSome(ctx: Ctx, some: [string, UploadRow][]): Promise<[string, UploadRow][]> {
  const begun = await Promise.all(
    some.map(async ([key, upload]) => {
      if (upload.store_upload_id && (await partsInBucket(ctx, upload))) return []
      return [{ key, upload, id: await directUploads(ctx).create(arrivalKey(upload)) }]
    }),
  )
  const fresh = begun.flat()
  if (fresh.length === 0) return []
  const rows = await ctx.db.write(async (tx) => {
    const noted: (UploadRow | undefined)[] = []
    for (const { upload, id } of fresh) noted.push(await beginMultipart(tx, upload, id))
    return noted
  })
  return Promise.all(
    fresh.map(async ({ key, upload, id }, i) => [key, rows[i] ?? (await begunByAnother(ctx, upload, id))]),
  )
}

/** Another plan of the same upload was faster. */
async function begunByAnother(ctx: Ctx, upload: UploadRow, storeUploadId: string): Promise<UploadRow> {
  await directUploads(ctx).abort(arrivalKey(upload), storeUploadId)
  const now = await findUpload(ctx.db, upload.id)
  if (now?.status === 'open' && now.store_upload_id) return now
  throw new Problem('temporarily-unavailable', {
    detail: 'The upload has just ended; plan it again.',
    retryAfterS: 1,
  })
}

/**
 * Addresses of the bucket that take the bytes of each direct upload, by the key it came under: one for each part. They
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
    // Signing never waits, so other requests would not get a turn.
    if (urls.size % AT_ONCE === 0) await turn()
  }
  return urls
}

async function urlsOf(ctx: Ctx, upload: UploadRow): Promise<string[] | undefined> {
  const key = arrivalKey(upload)
  const options = { ttlS: Math.floor(uploadUrlMs(ctx) / 1000) }
  if (upload.store_upload_id)
    return directUploads(ctx).presignParts(key, upload.store_upload_id, partCount(upload), options)
  const url = await directUploads(ctx).presignPut(key, options)
  return url === undefined ? undefined : [url]
}
