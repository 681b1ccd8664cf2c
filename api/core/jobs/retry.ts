import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { UniqueViolation } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { activeKey } from './enqueue.ts'
import { getJob, type Job } from './find.ts'
import type { JobKind } from './kind.ts'
import { queuedAt } from './outcome.ts'
import { wakeAll } from './wake.ts'

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
): Promise<Job> {
  try {
    return await ctx.db.write(async (tx) => {
      const { status, kind: name, attempt, dedup_key, run_after } = await getJob(ctx, id, 'write', tx)
      if (status !== 'failed' && status !== 'cancelled')
        throw new Problem('state-conflict', {
          detail: `The job is ${status}; only failed and cancelled ones are retried.`,
        })
      const kind = kinds.find((one) => one.kind === name)
      if (!kind)
        throw new Problem('state-conflict', { detail: 'This server no longer does jobs of this kind.' })
      const { jobs } = tx.t
      const moved = await tx.q
        .update(jobs)
        .set({
          ...queuedAt(run_after > ctx.now() ? run_after : ctx.now()),
          active_key: dedup_key === null ? null : activeKey(name, dedup_key),
          max_attempts: attempt + kind.maxAttempts,
          cancel_requested: false,
          problem: null,
          started_at: null,
          finished_at: null,
        })
        .where(and(eq(jobs.id, id), eq(jobs.status, status)))
        .returning({ id: jobs.id })
      if (moved.length === 0) throw equalIsActive()
      await wakeAll(tx, ctx.db)
      return getJob(ctx, id, 'write', tx)
    })
  } catch (error) {
    throw error instanceof UniqueViolation ? equalIsActive() : error
  }
}
