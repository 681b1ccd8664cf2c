import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { jobLog } from '../../../../shared/vocabulary.ts'
import { inBatches, type Tx } from '../../../stores/db/index.ts'
import type { JobRow } from '../queries.ts'
import { linesOf, type LogLine } from './lines.ts'

/** What the row of the job says of its log once `lines` are written: part of the update that locks the row. */
export const counted = (lines: readonly LogLine[]): { log_lines?: number } => {
  const last = lines.at(-1)
  return last ? { log_lines: last.number } : {}
}

/** Writes lines of a job whose row the transaction has locked. Of a long log the first lines and the newest stay. */
export async function writeLines(
  { q, t: { job_log: l } }: Tx,
  jobId: string,
  lines: readonly LogLine[],
): Promise<void> {
  const last = lines.at(-1)?.number ?? 0
  const oldest = last - jobLog.maxLines + jobLog.first
  const kept = lines.filter(({ number }) => number <= jobLog.first || number > oldest)
  await inBatches(kept, async (some) => {
    await q.insert(l).values(some.map((line) => ({ job_id: jobId, ...line })))
    return []
  })
  if (last > jobLog.maxLines)
    await q.delete(l).where(and(eq(l.job_id, jobId), gt(l.number, jobLog.first), lte(l.number, oldest)))
}

/** Part of an update of jobs that no attempt holds: one more line, which `writeLast` then writes. */
export const oneMoreLine = ({ t: { jobs } }: Tx) => ({ log_lines: sql`${jobs.log_lines} + 1` })

/** Writes the line that the update has counted, such as that a job was cancelled while it waited. */
export function writeLast(tx: Tx, { id, attempt, log_lines }: JobRow, text: string, at: Date): Promise<void> {
  return writeLines(tx, id, linesOf({ attempt, log_lines: log_lines - 1 }, [text], at))
}
