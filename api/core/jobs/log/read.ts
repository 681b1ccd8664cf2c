import { and, asc, eq, gt } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { getJob } from '../find.ts'
import type { LogLine } from './lines.ts'

/** A page of the log of a job, oldest first, behind the line `after`. Who may see the job may read it; Problem `not-found`. */
export async function readJobLog(
  ctx: Ctx,
  id: string,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): Promise<Page<LogLine, number>> {
  await getJob(ctx, id)
  const { job_log: l } = ctx.db.t
  return readPage(
    limit,
    (count) =>
      ctx.db.q
        .select({ number: l.number, attempt: l.attempt, at: l.at, text: l.text })
        .from(l)
        .where(and(eq(l.job_id, id), gt(l.number, after)))
        .orderBy(asc(l.number))
        .limit(count),
    ({ number }) => number,
  )
}
