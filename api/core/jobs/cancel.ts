import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { tellEnd, type JobEnded } from './ended.ts'
import { getJob, type Job } from './find.ts'
import { oneMoreLine, writeLast } from './log/write.ts'
import { ended } from './outcome.ts'
import { wake } from './wake.ts'

/**
 * Cancels a job: at once while it is queued, within 5 s while it runs. Cancelling what is cancelled changes nothing.
 * Problems: `not-found`, `state-conflict` when it has ended.
 */
export async function cancelJob(ctx: Ctx, id: string, whenEnded?: JobEnded): Promise<Job> {
  const job = await ctx.db.write(async (tx) => {
    const found = await getJob(ctx, id, 'write', tx)
    const { status } = found
    const { jobs } = tx.t
    const isWaiting = status === 'queued'
    const set = isWaiting ? ended('cancelled', ctx.now()) : { cancel_requested: true }
    if (status === 'succeeded' || status === 'failed')
      throw new Problem('state-conflict', { detail: `The job has ${status} already.` })
    if (status !== 'cancelled') {
      const [moved] = await tx.q
        .update(jobs)
        .set({ ...set, ...(isWaiting && oneMoreLine(tx)) })
        .where(and(eq(jobs.id, id), eq(jobs.status, status)))
        .returning()
      if (!moved) throw new Problem('state-conflict', { detail: 'The job is changing; try again.' })
      if (isWaiting) await writeLast(tx, moved, 'Cancelled while it waited.', ctx.now())
      await tellEnd(tx, ctx, whenEnded, found, set)
    }
    return getJob(ctx, id, 'write', tx)
  })
  wake(ctx.db)
  return job
}
