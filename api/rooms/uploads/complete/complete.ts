import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { deleteReserved, reserveKeys } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { blobKeys, StoreError } from '../../../stores/storage/index.ts'
import { joinedParts } from './join-parts.ts'
import { checkParts, type ClaimedPart } from './check-parts.ts'
import { completeDirect } from './complete-bucket.ts'
import { isDirect } from '../bucket/bucket-uploads.ts'
import { deleteArrived } from '../expire/discard-arrived.ts'
import { endOf, isWrongBytes } from '../failures.ts'
import { putProven } from '../receive/put-proven.ts'
import { deleteParts, findUpload, isCompleting, isHeldBy, partsOf } from '../queries.ts'
import type { PartRow, UploadRow } from '../queries.ts'
import { abortUpload, beginJoining, completeUpload as markComplete, reopenUpload } from '../transitions.ts'
import { waitDeadline, waitForUpload } from './wait-for-completion.ts'

interface Completion {
  upload: UploadRow
  parts: PartRow[]
  /** Where the joined object goes. */
  key: string
}

/**
 * Joins the parts of an upload, proves SHA-256 and size, and makes them an object granted to the owner, in that order and
 * with one transaction at the end. May be repeated. A failure that may pass leaves the upload open with its parts; wrong
 * bytes end it with `digest-mismatch` or `size-mismatch`, and nothing is kept. While another call is at it, its end is
 * waited for, since clients give up at a 503 here; `temporarily-unavailable` after `lfs.verify_wait`. What its sender has
 * put into the bucket is still `completing` when this answers, and verified by a job.
 */
export async function completeUpload(ctx: Ctx, id: string, claimed: ClaimedPart[]): Promise<UploadRow> {
  const planned = await findUpload(ctx.db, id)
  const isInBucket = planned && isDirect(planned) && (await partsOf(ctx.db, id)).length === 0
  if (isInBucket) return completeDirect(ctx, planned, claimed)
  const begun = await beginInTurn(ctx, id, claimed)
  if (!('key' in begun)) return begun
  const { upload, parts, key } = begun
  try {
    const object = { sha256: upload.sha256, sizeBytes: upload.size, key }
    await putProven(ctx, object, joinedParts(ctx, upload, parts))
    return await finish(ctx, begun)
  } catch (error) {
    const failure = await undo(ctx, begun, error)
    await deleteReserved(ctx, key)
    throw failure
  }
}

/** As `begin`, once no other call is at it: two clients that send the same file have one upload. */
async function beginInTurn(ctx: Ctx, id: string, claimed: ClaimedPart[]): Promise<Completion | UploadRow> {
  const detail = 'This upload is being completed by another request. Send the same request again.'
  const waiting = { deadline: waitDeadline(ctx), detail }
  for (;;) {
    const begun = await ctx.db.write((tx) => begin(tx, ctx, id, claimed))
    if (begun) return begun
    await waitForUpload(ctx, id, waiting, (now) => !now || !isCompleting(now) || isLapsed(now, ctx.now()))
  }
}

const isLapsed = ({ lease_until }: UploadRow, now: Date) => lease_until !== null && lease_until <= now

/** Takes the lease; or answers the upload when it is complete already, and nothing when another call has or had it. */
async function begin(
  tx: Tx,
  ctx: Ctx,
  id: string,
  claimed: ClaimedPart[],
): Promise<Completion | UploadRow | undefined> {
  const now = ctx.now()
  const upload = await beginJoining(tx, ctx, id)
  if (!upload) return alreadyEnded(await findUpload(tx, id), now)
  const parts = await partsOf(tx, id)
  checkParts(upload, parts, claimed)
  const key = blobKeys.lfsObject(upload.sha256, newId())
  await reserveKeys(tx, ctx, [key])
  return { upload, parts, key }
}

function alreadyEnded(upload: UploadRow | undefined, now: Date): UploadRow | undefined {
  if (!upload) throw new Problem('not-found')
  if (upload.status === 'complete') return upload
  const isHeld = isCompleting(upload) && !isLapsed(upload, now)
  // Reopened between the two reads.
  const isLeft = upload.status === 'open' && upload.expires_at > now
  if (isHeld || isLeft) return undefined
  throw endOf(upload)
}

async function finish(ctx: Ctx, { upload, key }: Completion): Promise<UploadRow> {
  const { upload: complete, partKeys } = await ctx.db.write(async (tx) => {
    const ended = await markComplete(tx, ctx, { id: upload.id, key }, isHeldBy(tx, upload.attempt))
    if (!ended) throw new Problem('temporarily-unavailable', { retryAfterS: 2 })
    return ended
  })
  await deleteArrived(ctx, complete, partKeys)
  return complete
}

/** Puts the upload where it belongs after a failure; answers the error for the caller. */
async function undo(ctx: Ctx, { upload, parts }: Completion, error: unknown): Promise<unknown> {
  try {
    if (isWrongBytes(error)) await abort(ctx, upload, error)
    else await reopen(ctx, upload, lostPart(parts, error))
  } catch (failure) {
    ctx.log.warn({ err: failure, upload: upload.id }, 'a failed completion is left to its lease')
  }
  if (lostPart(parts, error) === undefined) return error
  return new Problem('store-unavailable', { retryAfterS: 1, cause: error })
}

/** A part whose row names bytes that the store surely does not have: it must be sent again. */
function lostPart(parts: PartRow[], error: unknown): number | undefined {
  if (!(error instanceof StoreError) || error.kind !== 'missing') return undefined
  return parts.find((part) => part.key === error.key)?.n
}

async function reopen(ctx: Ctx, upload: UploadRow, lost: number | undefined): Promise<void> {
  await ctx.db.write(async (tx) => {
    const held = await reopenUpload(tx, upload)
    if (held && lost !== undefined) await deleteParts(tx, upload.id, lost)
  })
}

async function abort(ctx: Ctx, upload: UploadRow, problem: Problem): Promise<void> {
  const ended = await ctx.db.write((tx) =>
    abortUpload(tx, ctx, upload.id, isHeldBy(tx, upload.attempt), problem),
  )
  await deleteArrived(ctx, upload, ended?.partKeys ?? [])
}
