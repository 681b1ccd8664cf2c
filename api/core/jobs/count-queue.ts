import { and, eq, gte, lte, min, sql } from 'drizzle-orm'
import type { Db } from '../../stores/db/index.ts'

const DAY_MS = 86_400_000

/** How the queue stands. */
export interface QueueCounts {
  /** Due, and without a worker. */
  queued: number
  running: number
  /** How long the oldest due job has waited. */
  ageMs: number
  /** Failed for good within a day. */
  failed: number
}

/** Counts the queue; each count reads only rows of its status. */
export async function countQueue({ q, t: { jobs } }: Db, now: Date): Promise<QueueCounts> {
  const isDue = and(eq(jobs.status, 'queued'), lte(jobs.run_after, now))
  const dayAgo = new Date(now.getTime() - DAY_MS)
  const [due] = await q
    .select({ queued: sql<number>`count(*)`.mapWith(Number), oldest: min(jobs.run_after) })
    .from(jobs)
    .where(isDue)
  return {
    queued: due?.queued ?? 0,
    running: await q.$count(jobs, eq(jobs.status, 'running')),
    ageMs: due?.oldest ? Math.max(0, now.getTime() - due.oldest.getTime()) : 0,
    failed: await q.$count(jobs, and(eq(jobs.status, 'failed'), gte(jobs.finished_at, dayAgo))),
  }
}
