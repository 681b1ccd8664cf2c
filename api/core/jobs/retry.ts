import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { activeKey } from './enqueue.ts'
import { getJob, type Job } from './find.ts'
import type { JobKind } from './kind.ts'
import { oneMoreLine, writeLast } from './log/write.ts'
import { queuedAt } from './outcome.ts'
import type { JobRow } from './queries.ts'
import { wakeAll } from './wake.ts'

/** Called in the transaction that queues a job again, with the job as it was. */
export type JobRetried = (tx: Tx, job: JobRow) => Promise<void>

/** What the audit says of a retry. */
export const retryEntry = ({ id, kind }: JobRow) => ({
  action: 'job.retry',
  target: { type: 'job', id, name: kind },
})

const equalIsActive = () =>
  new Problem('state-conflict', { detail: 'An equal job is queued or running already.' })

/**
 * Queues a failed or cancelled job again, with as many attempts as its kind has; one that was cancelled before its time
 * waits for that time.
 * Problems: `not-found`, `state-conflict` in any other state or while an equal job is active.
 */
export async function retryJob(
  ctx: Pick<Ctx, 'db' | 'now' | 'actor'>,
  kinds: readonly JobKind[],
  id: string,
  retried?: JobRetried,
): Promise<Job> {
  return inOneWrite(ctx, async (tx) => {
    const job = await getJob(ctx, id, 'write', tx)
    if (job.status !== 'failed' && job.status !== 'cancelled')
      throw new Problem('state-conflict', {
        detail: `The job is ${job.status}; only failed and cancelled ones are retried.`,
      })
    await queueAgain(tx, ctx, kinds, job)
    await retried?.(tx, job)
    return getJob(ctx, id, 'write', tx)
  })
}

/** As `retryJob`, without asking who the caller is. False when the job has not failed, or an equal one is active. */
export async function retryFailedJob(
  ctx: Pick<Ctx, 'db' | 'now'>,
  kinds: readonly JobKind[],
  id: string,
  retried: JobRetried,
): Promise<boolean> {
  try {
    return await inOneWrite(ctx, async (tx) => {
      const { jobs } = tx.t
      const [job] = await tx.q
        .select()
        .from(jobs)
        .where(and(eq(jobs.id, id), eq(jobs.status, 'failed')))
      if (!job) return false
      await queueAgain(tx, ctx, kinds, job)
      await retried(tx, job)
      return true
    })
  } catch (error) {
    if (error instanceof Problem && error.code === 'state-conflict') return false
    throw error
  }
}

async function inOneWrite<T>({ db }: Pick<Ctx, 'db'>, change: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.write(change)
  } catch (error) {
    throw error instanceof UniqueViolation ? equalIsActive() : error
  }
}

async function queueAgain(
  tx: Tx,
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  kinds: readonly JobKind[],
  { id, kind: name, status, attempt, dedup_key, run_after }: JobRow,
): Promise<void> {
  const kind = kinds.find((one) => one.kind === name)
  if (!kind) throw new Problem('state-conflict', { detail: 'This server no longer does jobs of this kind.' })
  const { jobs } = tx.t
  const [moved] = await tx.q
    .update(jobs)
    .set({
      ...oneMoreLine(tx),
      ...queuedAt(run_after > now() ? run_after : now()),
      active_key: dedup_key === null ? null : activeKey(name, dedup_key),
      max_attempts: attempt + kind.maxAttempts,
      cancel_requested: false,
      problem: null,
      started_at: null,
      finished_at: null,
    })
    .where(and(eq(jobs.id, id), eq(jobs.status, status)))
    .returning()
  if (!moved) throw equalIsActive()
  await writeLast(tx, moved, 'Queued again by a person.', now())
  await wakeAll(tx, db)
}
