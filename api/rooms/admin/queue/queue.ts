import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import {
  countFailed,
  countQueue,
  failedIds,
  failedKinds,
  retryEntry,
  retryFailedJob,
  type FailedKind,
  type JobKind,
  type QueueCounts,
} from '../../../core/jobs/index.ts'

/** Jobs that one request queues again; each takes a transaction. */
const MAX_RETRIES = 500

/** How long the queue is, and what has failed. For instance admins. */
export async function getQueue(ctx: Ctx): Promise<QueueCounts & { kinds: FailedKind[] }> {
  requireInstanceAdmin(ctx.actor)
  return { ...(await countQueue(ctx.db, ctx.now())), kinds: await failedKinds(ctx.db) }
}

/** What became of the failed jobs of a kind. */
export interface RetriedJobs {
  retried: number
  /** An equal job is queued or running, or this server no longer does jobs of this kind. */
  skipped: number
  /** Failed jobs of the kind that there are still, the skipped ones among them. */
  left: number
}

/**
 * Queues the failed jobs of a kind again, the oldest first and 500 at most. A job that somebody else has retried meanwhile
 * is skipped. For instance admins.
 */
export async function retryFailedJobs(
  ctx: Ctx,
  kinds: readonly JobKind[],
  kind: string,
): Promise<RetriedJobs> {
  requireInstanceAdmin(ctx.actor)
  const counts = { retried: 0, skipped: 0 }
  for (const id of await failedIds(ctx.db, kind, MAX_RETRIES)) {
    ctx.signal.throwIfAborted()
    const isQueued = await retryFailedJob(ctx, kinds, id, (tx, job) => audit(tx, ctx, retryEntry(job)))
    counts[isQueued ? 'retried' : 'skipped']++
  }
  return { ...counts, left: await countFailed(ctx.db, kind) }
}
