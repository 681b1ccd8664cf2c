import { asc } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Db, type Tx } from '../../../stores/db/index.ts'
import { defineJob, type RunningJob } from '../../../core/jobs/index.ts'
import { deleteDiscarded, deleteReserved, discardKeys, reserveKeys } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { blobKeys, hashing, StoreError, storeProblem } from '../../../stores/storage/index.ts'
import { arrivalKey, staysWhereItArrives } from '../bucket/bucket-uploads.ts'
import { deleteArrived } from '../expire/discard-arrived.ts'
import { digestMismatch, isWrongBytes, sizeMismatch } from '../failures.ts'
import { isVerifiedBy } from '../bucket/queries.ts'
import type { UploadRow } from '../queries.ts'
import { abortUpload, completeUpload } from '../transitions.ts'

/** Small objects are verified side by side and recorded together. */
const AT_ONCE = 8
const BATCH_BYTES = 32 * 1024 * 1024

/**
 * Verifies what senders have put into the bucket (git-storage.md §8.5). What came in one PUT is first copied to a key that
 * only this server can write, and read there, so that what was proved is what is kept: its address stays valid. What was joined
 * from parts can no longer be written to: it is read where it lies and stays there. May be repeated: what is done leaves the list
 * of uploads that wait for this job.
 */
export const lfsVerify = defineJob({
  kind: 'lfs.verify',
  /** `bytes`: of all objects. */
  input: z.strictObject({ objects: z.number(), bytes: z.number() }),
  maxAttempts: 5,
  unit: 'bytes',
  title: ({ objects }) => `Verify ${objects === 1 ? 'an uploaded file' : `${objects} uploaded files`}`,
  async run(ctx, { bytes }, job) {
    const counts = { verified: 0, refused: 0 }
    let doneBytes = 0
    const progress = (moreBytes: number) => job.progress((doneBytes += moreBytes), bytes)
    for (let rows = await nextRows(ctx.db, job.id); rows.length > 0; rows = await nextRows(ctx.db, job.id)) {
      job.signal.throwIfAborted()
      for (const { refusal, upload } of await verifySome(ctx, rows, { job, progress })) {
        counts[refusal ? 'refused' : 'verified']++
        if (refusal) job.log(`${upload.sha256} is refused: ${refusal.detail ?? refusal.title}`)
      }
      job.log(`${counts.verified} verified, ${counts.refused} refused.`)
    }
    return counts
  },
})

/** The uploads to verify next: one, or several small ones. */
async function nextRows(db: Db, jobId: string): Promise<UploadRow[]> {
  const { uploads: u } = db.t
  const rows = await db.q.select().from(u).where(isVerifiedBy(db, jobId)).orderBy(asc(u.id)).limit(AT_ONCE)
  let bytes = 0
  return rows.filter((row, i) => (bytes += row.size) <= BATCH_BYTES || i === 0)
}

interface Run {
  job: RunningJob
  /** Called with the number of bytes read. */
  progress(bytes: number): Promise<void>
}

interface Candidate {
  upload: UploadRow
  /** Where the object's bytes are to be: where they arrived, or a copy's key, which is reserved. */
  key: string
  isCopy: boolean
}

interface Outcome extends Candidate {
  /** Why it is not what was announced. */
  refusal?: Problem
}

/** Answers those that came to an end; throws the first failure that may pass. */
async function verifySome(ctx: Ctx, rows: UploadRow[], run: Run): Promise<Outcome[]> {
  const candidates = rows.map((upload): Candidate => {
    const isCopy = !staysWhereItArrives(upload)
    return { upload, key: isCopy ? blobKeys.lfsObject(upload.sha256, newId()) : arrivalKey(upload), isCopy }
  })
  const copies = candidates.filter(({ isCopy }) => isCopy).map(({ key }) => key)
  if (copies.length > 0) await run.job.write((tx) => reserveKeys(tx, ctx, copies))
  const settled = await Promise.allSettled(candidates.map((candidate) => verifyOne(ctx, candidate, run)))
  const outcomes = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  await recordAll(ctx, outcomes, run.job)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return outcomes
}

/** Wrong bytes are an outcome; a failure that may pass is the job's. */
async function verifyOne(ctx: Ctx, candidate: Candidate, run: Run): Promise<Outcome> {
  const { upload, key, isCopy } = candidate
  const { signal } = run.job
  try {
    await (isCopy ? copyArrived(ctx, candidate) : requireArrived(ctx, upload))
    const found = await hashOf(ctx, upload, key, run)
    // Bits may have turned on their way from the store: it is asked once more before the sender is blamed.
    if (found !== upload.sha256 && (await hashOf(ctx, upload, key, run)) !== upload.sha256)
      throw digestMismatch(upload.sha256, found)
    return candidate
  } catch (error) {
    const refusal = signal.aborted ? undefined : refusalOf(upload, error)
    if (refusal) return { ...candidate, refusal }
    if (isCopy) await deleteReserved(ctx, key)
    signal.throwIfAborted()
    throw error instanceof StoreError ? storeProblem(error) : error
  }
}

async function copyArrived(ctx: Ctx, { upload, key }: Candidate): Promise<void> {
  const { sizeBytes } = await ctx.blobs.copy(arrivalKey(upload), key)
  if (sizeBytes !== upload.size) throw sizeMismatch(upload.size, sizeBytes)
}

async function requireArrived(ctx: Ctx, upload: UploadRow): Promise<void> {
  const key = arrivalKey(upload)
  const arrived = await ctx.blobs.stat(key)
  if (!arrived) throw new StoreError('missing', key, 'no such object')
  if (arrived.sizeBytes !== upload.size) throw sizeMismatch(upload.size, arrived.sizeBytes)
}

async function hashOf(ctx: Ctx, upload: UploadRow, key: string, { job, progress }: Run): Promise<string> {
  const hashed = hashing(await ctx.blobs.read(key, undefined, job.signal), 'sha256')
  for await (const chunk of hashed.source) {
    const { length } = chunk
    hashed.source.giveBack?.(chunk)
    await progress(length)
  }
  const { hex, sizeBytes } = await hashed.digest()
  if (sizeBytes !== upload.size)
    throw new StoreError('transient', key, `${sizeBytes} bytes of ${upload.size}`)
  return hex
}

function refusalOf(upload: UploadRow, error: unknown): Problem | undefined {
  if (isWrongBytes(error)) return error
  const isGone = error instanceof StoreError && error.kind === 'missing' && error.key === arrivalKey(upload)
  return isGone
    ? new Problem('state-conflict', { detail: 'The bytes were deleted from the bucket; upload them again.' })
    : undefined
}

/** Ends the uploads, and then deletes what they no longer need. */
async function recordAll(ctx: Ctx, outcomes: Outcome[], job: RunningJob): Promise<void> {
  const ended = new Set<Outcome>()
  try {
    await job.write(async (tx) => {
      ended.clear()
      for (const outcome of outcomes) if (await record(tx, ctx, outcome, job.id)) ended.add(outcome)
    })
  } catch (error) {
    for (const { key, isCopy } of outcomes) if (isCopy) await deleteReserved(ctx, key)
    throw error
  }
  for (const outcome of outcomes) await deleteUnused(ctx, outcome, ended.has(outcome))
}

/** What stays where it arrived is left alone unless this run ended the upload: else it may be the object by now. */
async function deleteUnused(
  ctx: Ctx,
  { upload, key, isCopy, refusal }: Outcome,
  hasEnded: boolean,
): Promise<void> {
  if (isCopy || (hasEnded && refusal)) await deleteArrived(ctx, upload, [])
  if (isCopy && refusal) await deleteReserved(ctx, key)
  // Not needed where others had sent the same bytes before.
  if (!isCopy && hasEnded && !refusal) await deleteDiscarded(ctx, [key])
}

/** Answers whether it was this that ended the upload. */
async function record(tx: Tx, ctx: Ctx, outcome: Outcome, jobId: string): Promise<boolean> {
  const { upload, key, isCopy, refusal } = outcome
  const isOurs = isVerifiedBy(tx, jobId)
  const ended = refusal
    ? await abortUpload(tx, ctx, upload.id, isOurs, refusal)
    : await completeUpload(tx, ctx, { id: upload.id, key }, isOurs)
  if (isCopy && (!ended || refusal)) await discardKeys(tx, ctx, [key])
  return ended !== undefined
}
