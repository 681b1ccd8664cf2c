import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import {
  deleteDiscarded,
  deleteReserved,
  discardKeys,
  keepKeys,
  reserveKeys,
} from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { blobKeys, hashing, StoreError, type ByteSource } from '../../../stores/storage/index.ts'
import { directUploads, arrivalKey } from '../bucket/bucket-uploads.ts'
import { uploadDeadline } from '../open-uploads.ts'
import { partBytes } from './part-size.ts'
import { sizeMismatch, uploadEnded } from '../failures.ts'
import { putHashed } from './put-proven.ts'
import {
  findUpload,
  isCompleting,
  isOpen,
  putPartRow,
  setUpload,
  type PartRow,
  type UploadRow,
} from '../queries.ts'

/** A part that is stored. */
export interface PutPart {
  n: number
  /** SHA-256 of the part in hex, so that an equal part has an equal tag; in the bucket what the store calls it. */
  etag: string
  sizeBytes: number
}

/**
 * Stores part `n` under a fresh key; a part sent again replaces the one before. Once a completion has begun, a late or
 * repeated part is read and dropped, so that its sender sees no failure. Throws `not-found` for a number out of
 * range, `size-mismatch`, `state-conflict` for an upload that has ended, and the store's errors.
 */
export async function putPart(
  ctx: Ctx,
  upload: UploadRow,
  n: number,
  source: ByteSource,
  declaredBytes: number | undefined,
): Promise<PutPart> {
  const sizeBytes = partBytes(upload, n)
  if (sizeBytes === undefined) throw new Problem('not-found', { detail: `This upload has no part ${n}.` })
  if (declaredBytes !== undefined && declaredBytes !== sizeBytes) throw sizeMismatch(sizeBytes, declaredBytes)
  if (upload.status === 'complete' || isCompleting(upload)) return readAndDrop(n, source, sizeBytes)
  if (upload.store_upload_id) return putInBucket(ctx, upload, { n, sizeBytes }, source)
  const key = blobKeys.uploadPart(upload.id, n, newId())
  await ctx.db.write(async (tx) => {
    const open = await setUpload(tx, upload.id, isOpen(tx, ctx.now()), { expires_at: uploadDeadline(ctx) })
    if (!open) await requireUnderWay(tx, upload.id)
    await reserveKeys(tx, ctx, [key])
  })
  const { etag, unused } = await storePart(ctx, { upload_id: upload.id, n, key, size: sizeBytes }, source)
  await deleteDiscarded(ctx, unused)
  return { n, etag, sizeBytes }
}

/** For a sender who cannot reach the bucket, or does not know where it is: the part goes where the others go. */
async function putInBucket(
  ctx: Ctx,
  upload: UploadRow,
  { n, sizeBytes }: { n: number; sizeBytes: number },
  source: ByteSource,
): Promise<PutPart> {
  const set = { expires_at: uploadDeadline(ctx) }
  if (!(await ctx.db.write((tx) => setUpload(tx, upload.id, isOpen(tx, ctx.now()), set)))) throw uploadEnded()
  try {
    const part = await directUploads(ctx).putPart(
      arrivalKey(upload),
      upload.store_upload_id ?? '',
      n,
      source,
      {
        sizeBytes,
      },
    )
    return { n, etag: part.etag, sizeBytes }
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'corrupt') throw sizeMismatch(sizeBytes)
    if (error instanceof StoreError && error.kind === 'missing') throw uploadEnded()
    throw error
  }
}

async function storePart(ctx: Ctx, part: Omit<PartRow, 'etag'>, source: ByteSource) {
  try {
    const etag = await putHashed(ctx, part.key, source, part.size)
    return { etag, unused: await ctx.db.write((tx) => keepPart(tx, ctx, { ...part, etag })) }
  } catch (error) {
    await deleteReserved(ctx, part.key)
    throw error
  }
}

/** Answers the keys that are of no use now. */
async function keepPart(tx: Tx, ctx: Ctx, part: PartRow): Promise<string[]> {
  const open = await setUpload(tx, part.upload_id, isOpen(tx, ctx.now()), { expires_at: uploadDeadline(ctx) })
  if (!open) await requireUnderWay(tx, part.upload_id)
  const replaced = open ? await putPartRow(tx, part) : part.key
  if (open) await keepKeys(tx, ctx, [part.key])
  const unused = replaced === undefined ? [] : [replaced]
  await discardKeys(tx, ctx, unused)
  return unused
}

/** A completion may have begun meanwhile; anything else has ended the upload. */
async function requireUnderWay(tx: Tx, id: string): Promise<void> {
  const upload = await findUpload(tx, id)
  if (upload?.status !== 'complete' && !isCompleting(upload)) throw uploadEnded()
}

async function readAndDrop(n: number, source: ByteSource, sizeBytes: number): Promise<PutPart> {
  const hashed = hashing(source, 'sha256')
  let sentBytes = 0
  for await (const chunk of hashed.source) {
    sentBytes += chunk.length
    hashed.source.giveBack?.(chunk)
    if (sentBytes > sizeBytes) throw sizeMismatch(sizeBytes)
  }
  if (sentBytes < sizeBytes) throw sizeMismatch(sizeBytes, sentBytes)
  return { n, etag: (await hashed.digest()).hex, sizeBytes }
}
