import { asc } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../ctx.ts'
import { newId, type Db, type Tx } from '../db/index.ts'
import { defineJob, type RunningJob } from '../jobs/index.ts'
import { discardKeys, recordObject, reserveKeys } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import { blobKeys, hashing, StoreError, storeProblem } from '../storage/index.ts'
import { arrivalKey } from './direct.ts'
import { deleteArrived, discardArrived } from './discard-arrived.ts'
import { digestMismatch, isWrongBytes, sizeMismatch } from './failures.ts'
import { giveUp } from './put-proven.ts'
import { isVerifiedBy } from './direct-queries.ts'
import { setUpload, type UploadRow } from './queries.ts'

/** Small objects are verified side by side and recorded together. */
const AT_ONCE = 8
const BATCH_BYTES = 32 * 1024 * 1024

/**
 * Verifies what senders have put into the bucket (git-storage.md §8.5). What came in one PUT is first copied to a key that
 * nobody else can write and read there, so that what was proved is what is kept: its address stays valid. May be
 * repeated: what is done leaves the list of Uploads that wait for this Job.
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
      for (const { refusal } of await verifySome(ctx, rows, { job, progress }))
        counts[refusal ? 'refused' : 'verified']++
    }
    return counts
  },
})

/** The Uploads to verify next: one, or several small ones. */
async function nextRows(db: Db, jobId: string): Promise<UploadRow[]> {
  const { uploads: u } = db.t
  const rows = await db.q.select().from(u).where(isVerifiedBy(db, jobId)).orderBy(asc(u.id)).limit(AT_ONCE)
  let bytes = 0
  return rows.filter((row, i) => (bytes += row.size) <= BATCH_BYTES || i === 0)
}

interface Run {
  job: RunningJob
  /** Told of bytes that were read. */
  progress(bytes: number): Promise<void>
}

interface Copy {
  upload: UploadRow
  /** Where the copy is. */
  key: string
}

interface Outcome extends Copy {
  /** Why it is not what was announced. */
  refusal?: Problem
}

/** Answers those that came to an end; throws the first failure that may pass. */
async function verifySome(ctx: Ctx, rows: UploadRow[], run: Run): Promise<Outcome[]> {
  const copies = rows.map((upload) => ({ upload, key: blobKeys.lfsObject(upload.sha256, newId()) }))
  const keys = copies.map(({ key }) => key)
  await run.job.write((tx) => reserveKeys(tx, ctx, keys))
  const settled = await Promise.allSettled(copies.map((copy) => verifyOne(ctx, copy, run)))
  const outcomes = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  await recordAll(ctx, outcomes, run.job)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return outcomes
}

/** Wrong bytes are an outcome; a failure that may pass is the Job's. */
async function verifyOne(ctx: Ctx, copy: Copy, run: Run): Promise<Outcome> {
  const { upload, key } = copy
  const { signal } = run.job
  try {
    const found = await copyProven(ctx, copy, run)
    // Bits may have turned on their way from the store: it is asked once more before the sender is blamed.
    if (found !== upload.sha256 && (await hashOf(ctx, upload, key, run)) !== upload.sha256)
      throw digestMismatch(upload.sha256, found)
    return copy
  } catch (error) {
    const refusal = signal.aborted ? undefined : refusalOf(upload, error)
    if (refusal) return { ...copy, refusal }
    await giveUp(ctx, key)
    signal.throwIfAborted()
    throw error instanceof StoreError ? storeProblem(error) : error
  }
}

/** Answers the SHA-256 of the copy. What was joined from parts nobody can write to, so it is read while it is copied. */
async function copyProven(ctx: Ctx, { upload, key }: Copy, run: Run): Promise<string> {
  const from = arrivalKey(upload)
  const copy = async () => {
    const { sizeBytes } = await ctx.blobs.copy(from, key)
    if (sizeBytes !== upload.size) throw sizeMismatch(upload.size, sizeBytes)
  }
  if (!upload.store_upload_id) {
    await copy()
    return hashOf(ctx, upload, key, run)
  }
  // Both are over when this ends, so that no copy comes after its key was given up.
  const [hashed, copied] = await Promise.allSettled([hashOf(ctx, upload, from, run), copy()])
  if (copied.status === 'rejected') throw copied.reason
  if (hashed.status === 'rejected') throw hashed.reason
  return hashed.value
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

/** Ends the Uploads, and then deletes what they no longer need. */
async function recordAll(ctx: Ctx, outcomes: Outcome[], job: RunningJob): Promise<void> {
  try {
    await job.write(async (tx) => {
      for (const outcome of outcomes) await record(tx, ctx, outcome, job.id)
    })
  } catch (error) {
    for (const { key } of outcomes) await giveUp(ctx, key)
    throw error
  }
  for (const { upload, key, refusal } of outcomes) {
    await deleteArrived(ctx, upload, [])
    if (refusal) await giveUp(ctx, key)
  }
}

async function record(tx: Tx, ctx: Ctx, { upload, key, refusal }: Outcome, jobId: string): Promise<void> {
  const problem = refusal && { code: refusal.code, message: refusal.detail ?? refusal.title }
  const set = problem ? { status: 'aborted' as const, problem } : { status: 'complete' as const }
  const ended = await setUpload(tx, upload.id, isVerifiedBy(tx, jobId), set)
  if (!ended || refusal) await discardKeys(tx, ctx, [key])
  if (!ended) return
  if (!refusal) {
    const owner = { repoId: upload.repo_id, userId: upload.user_id }
    await recordObject(tx, ctx, { sha256: upload.sha256, sizeBytes: upload.size, key }, owner)
  }
  await discardArrived(tx, ctx, upload)
}
