import { and, eq, inArray } from 'drizzle-orm'
import type { Deps } from '../ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { tellEnd, type JobEnded } from './ended.ts'
import { oneMoreLine, writeLast } from './log/write.ts'
import { ended } from './outcome.ts'

/** Whose jobs: those that a user has begun, or those of some kinds that work on a repo. */
export type JobsOf = { userId: string } | { repoId: string; kinds: readonly string[] }

/**
 * Cancels every job of a user, or of some kinds of a repo, within a transaction: at once while it is queued, within 5 s
 * while it runs. Answers how many.
 */
export async function cancelJobsOf(tx: Tx, deps: Deps, of: JobsOf, whenEnded?: JobEnded): Promise<number> {
  const { jobs } = tx.t
  const owned =
    'userId' in of
      ? eq(jobs.created_by, of.userId)
      : and(eq(jobs.repo_id, of.repoId), inArray(jobs.kind, [...of.kinds]))
  const theirs = (status: 'queued' | 'running') => and(owned, eq(jobs.status, status))
  const set = ended('cancelled', deps.now())
  const cancelled = await tx.q
    .update(jobs)
    .set({ ...set, ...oneMoreLine(tx) })
    .where(theirs('queued'))
    .returning()
  for (const job of cancelled) {
    await writeLast(tx, job, 'Cancelled while it waited.', deps.now())
    await tellEnd(tx, deps, whenEnded, job, set)
  }
  const stopped = await tx.q
    .update(jobs)
    .set({ cancel_requested: true })
    .where(and(theirs('running'), eq(jobs.cancel_requested, false)))
    .returning({ id: jobs.id })
  return cancelled.length + stopped.length
}
