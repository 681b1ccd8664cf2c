import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../stores/db/index.ts'
import type { JobRow } from './queries.ts'

/** The failed jobs of one kind. */
export interface FailedKind {
  kind: string
  count: number
  /** The one that was created last. */
  newest: JobRow
}

const MAX_KINDS = 100

/** Failed jobs by kind, the most frequent first. Reads failed jobs alone, which are kept for 30 days. */
export async function failedKinds({ q, t: { jobs } }: Db): Promise<FailedKind[]> {
  const count = sql<number>`count(*)`.mapWith(Number)
  const groups = await q
    .select({ kind: jobs.kind, count, newestId: sql<string>`max(${jobs.id})` })
    .from(jobs)
    .where(eq(jobs.status, 'failed'))
    .groupBy(jobs.kind)
    .orderBy(desc(count), asc(jobs.kind))
    .limit(MAX_KINDS)
  if (groups.length === 0) return []
  const ids = groups.map(({ newestId }) => newestId)
  const rows = await q.select().from(jobs).where(inArray(jobs.id, ids))
  const byKind = new Map(rows.map((row) => [row.kind, row]))
  return groups.flatMap(({ kind, count: failed }) => {
    const newest = byKind.get(kind)
    // It may have been retried or forgotten between the two reads.
    return newest ? [{ kind, count: failed, newest }] : []
  })
}

/** Ids of failed jobs of a kind, the oldest first. */
export async function failedIds({ q, t: { jobs } }: Db, kind: string, limit: number): Promise<string[]> {
  const rows = await q
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.status, 'failed'), eq(jobs.kind, kind)))
    .orderBy(asc(jobs.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** How many jobs of a kind have failed. */
export async function countFailed({ q, t: { jobs } }: Db, kind: string): Promise<number> {
  return q.$count(jobs, and(eq(jobs.status, 'failed'), eq(jobs.kind, kind)))
}
