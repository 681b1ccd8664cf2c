import { eq } from 'drizzle-orm'
import { actorId } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { traceparent } from '../../platform/telemetry/index.ts'
import type { JobTicket } from './kind.ts'
import type { JobRow } from './queries.ts'
import { wakeAll } from './wake.ts'

export interface EnqueueOptions {
  /** While a job of this kind with the same key is queued or running, that one is answered instead. */
  dedupKey?: string
  runAfter?: Date
  /** The repo it works on; its admins may see and cancel the job. */
  repoId?: string
  /** User id; the caller unless given. */
  createdBy?: string | null
}

const maxTurns = 10

/**
 * Queues a job in the transaction of the change that needs it, so the one exists only with the other.
 * Answers the job, or the active one that is equal.
 */
export async function enqueue<I>(
  tx: Tx,
  ctx: Pick<Ctx, 'db' | 'now' | 'actor'>,
  kind: JobTicket<I>,
  input: I,
  options: EnqueueOptions = {},
): Promise<JobRow> {
  const row = newJob(ctx, kind, input, options)
  const { jobs } = tx.t
  // An equal job may finish between the two statements, so ask again.
  for (let turn = 0; turn < maxTurns; turn++) {
    const [inserted] = await tx.q.insert(jobs).values(row).onConflictDoNothing().returning()
    if (inserted) {
      await wakeAll(tx, ctx.db)
      return inserted
    }
    const [active] = await tx.q
      .select()
      .from(jobs)
      .where(eq(jobs.active_key, row.active_key ?? ''))
    if (active) return active
  }
  throw new Problem('database-busy', { retryAfterS: 1 })
}

function newJob<I>(
  { now, actor }: Pick<Ctx, 'now' | 'actor'>,
  kind: JobTicket<I>,
  input: I,
  { dedupKey, runAfter, repoId, createdBy }: EnqueueOptions,
) {
  return {
    id: newId(),
    kind: kind.kind,
    status: 'queued' as const,
    title: kind.title(input),
    repo_id: repoId ?? null,
    created_by: createdBy === undefined ? actorId(actor) : createdBy,
    input,
    dedup_key: dedupKey ?? null,
    active_key: dedupKey === undefined ? null : activeKey(kind.kind, dedupKey),
    attempt: 0,
    max_attempts: kind.maxAttempts,
    run_after: runAfter ?? now(),
    cancel_requested: false,
    progress_done: 0,
    progress_unit: kind.unit ?? ('items' as const),
    traceparent: traceparent() ?? null,
    created_at: now(),
  }
}

/** Unique among queued and running jobs. */
export function activeKey(kind: string, dedupKey: string): string {
  return `${kind}/${dedupKey}`
}
