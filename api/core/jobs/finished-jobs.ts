import { and, inArray, lt } from 'drizzle-orm'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../sweep.ts'

/** How long a job that has ended is shown. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Part of `gc`: forgets jobs that ended 30 days ago. */
export const finishedJobs: Sweep = {
  name: 'jobs',
  async run({ db, now }, run) {
    const { jobs } = db.t
    const isOld = and(
      inArray(jobs.status, ['succeeded', 'failed', 'cancelled']),
      lt(jobs.finished_at, new Date(now().getTime() - KEPT_MS)),
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
