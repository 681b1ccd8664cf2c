import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../sweep.ts'

/** How long a job that has ended is shown. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Part of `gc`: forgets jobs that ended 30 days ago, with their logs. */
export const finishedJobs: Sweep = {
  name: 'jobs',
  async run({ db, now }, run) {
    const { jobs, job_log: l } = db.t
    const isOld = and(
      inArray(jobs.status, ['succeeded', 'failed', 'cancelled']),
      lt(jobs.finished_at, new Date(now().getTime() - KEPT_MS)),
    )
    // Line by line first: a thousand long logs would be too much for one transaction.
    await sweepRows(
      run,
      async () => 0,
      ({ q }) => {
        const some = q
          .select({ job_id: l.job_id, number: l.number })
          .from(l)
          .innerJoin(jobs, eq(jobs.id, l.job_id))
          .where(isOld)
          .limit(SWEEP_ROWS)
        return q
          .delete(l)
          .where(sql`(${l.job_id}, ${l.number}) in (${some.getSQL()})`)
          .returning({ number: l.number })
      },
    )
    return {
      forgotten: await sweepRows(
        run,
        () => db.q.$count(jobs, isOld),
        ({ q }) => {
          const some = q.select({ id: jobs.id }).from(jobs).where(isOld).limit(SWEEP_ROWS)
          return q.delete(jobs).where(inArray(jobs.id, some)).returning({ id: jobs.id })
        },
      ),
    }
  },
}
