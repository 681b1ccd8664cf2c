import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { StoreError } from '../../../stores/storage/index.ts'
import { bareTag, checkParts, type ClaimedPart } from './check-parts.ts'
import { directUploads, arrivalKey, partsInBucket } from '../bucket/bucket-uploads.ts'
import { deleteArrived } from '../expire/discard-arrived.ts'
import { endOf, sizeMismatch, uploadEnded } from '../failures.ts'
import { isUnattended, isUnverified } from '../bucket/queries.ts'
import { findUpload, isCompleting, type UploadRow } from '../queries.ts'
import { abortUpload } from '../transitions.ts'
import { startVerification } from './start-verification.ts'
import { waitDeadline, waitForUpload } from './wait-for-completion.ts'

/**
 * Joins the parts that a sender has put into the bucket and has the whole verified by a job. Answers the upload, which is
 * `completing` until that has ended. May be repeated; what went wrong on the way is taken up where it was.
 */
export async function completeDirect(
  ctx: Ctx,
  upload: UploadRow,
  claimed: ClaimedPart[],
): Promise<UploadRow> {
  if (!(await isUnattended(ctx.db, upload.id, ctx.now())))
    return underWay(await findUpload(ctx.db, upload.id))
  if (upload.store_upload_id) await joinInBucket(ctx, upload, claimed)
  const arrived = await ctx.blobs.stat(arrivalKey(upload))
  if (!arrived && upload.store_upload_id) return end(ctx, upload, uploadEnded())
  if (!arrived) checkParts(upload, [], claimed)
  if (arrived && arrived.sizeBytes !== upload.size)
    return end(ctx, upload, sizeMismatch(upload.size, arrived.sizeBytes))
  const owner = { repoId: upload.repo_id, userId: upload.user_id }
  const [begun] = await ctx.db.write((tx) => startVerification(tx, ctx, owner, [upload]))
  return begun ?? upload
}

/** An upload that somebody else takes care of, or has. */
function underWay(upload: UploadRow | undefined): UploadRow {
  if (upload && (upload.status === 'complete' || isCompleting(upload))) return upload
  throw endOf(upload)
}

async function joinInBucket(ctx: Ctx, upload: UploadRow, claimed: ClaimedPart[]): Promise<void> {
  const stored = await partsInBucket(ctx, upload)
  if (!stored) return
  checkParts(upload, stored, claimed)
  const parts = stored.map(({ n, etag }) => ({ n, etag: bareTag(etag) }))
  try {
    await directUploads(ctx).complete(arrivalKey(upload), upload.store_upload_id ?? '', parts)
  } catch (error) {
    // Another call was faster, or an answer of the store was lost.
    if (!(error instanceof StoreError) || (error.kind !== 'exists' && error.kind !== 'missing')) throw error
  }
}

/** Ends an upload whose bytes can never become the object. */
async function end(ctx: Ctx, upload: UploadRow, problem: Problem): Promise<never> {
  const ended = await ctx.db.write(async (tx) => {
    return abortUpload(tx, ctx, upload.id, isUnverified(tx, ctx.now()), problem)
  })
  if (ended) await deleteArrived(ctx, ended.upload, [])
  throw problem
}

/**
 * Waits for the end of an upload that is being verified, up to `lfs.verify_wait`. Throws the Problem that ended it, and
 * `temporarily-unavailable` when the same call may succeed later.
 */
export async function untilVerified(ctx: Ctx, upload: UploadRow): Promise<UploadRow> {
  const detail = 'The bytes are still being verified. Send the same request again.'
  const ended = await waitForUpload(ctx, upload.id, { deadline: waitDeadline(ctx), detail }, async (now) => {
    if (!now || !isCompleting(now)) return true
    if (await isUnattended(ctx.db, now.id, ctx.now()))
      throw new Problem('temporarily-unavailable', { detail, retryAfterS: 2 })
    return false
  })
  if (ended?.status !== 'complete') throw endOf(ended)
  return ended
}
