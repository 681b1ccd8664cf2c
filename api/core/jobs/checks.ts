import { and, asc, eq, lt, or } from 'drizzle-orm'
import type { Check } from '../check.ts'

/** A lease is renewed every few seconds and taken over when it ends; an hour means that no worker runs. */
const LAPSED_MS = 3_600_000
/** The longest wait between attempts is a day, and a worker may be late by one. */
const WAITING_MS = 48 * 3_600_000
const MAX_SHOWN = 1000

/** No job has been forgotten: those that are due run, and those that run have a worker. */
export const jobCheck: Check = {
  name: 'jobs',
  async *run({ db, now }, { repoId }) {
    const { jobs } = db.t
    const before = (ms: number) => new Date(now().getTime() - ms)
    const lapsed = and(eq(jobs.status, 'running'), lt(jobs.lease_until, before(LAPSED_MS)))
    const waiting = and(eq(jobs.status, 'queued'), lt(jobs.run_after, before(WAITING_MS)))
    const late = await db.q
      .select({ id: jobs.id, kind: jobs.kind, status: jobs.status })
      .from(jobs)
      .where(and(or(lapsed, waiting), repoId === undefined ? undefined : eq(jobs.repo_id, repoId)))
      .orderBy(asc(jobs.id))
      .limit(MAX_SHOWN)
    for (const { id, kind, status } of late)
      yield {
        check: 'jobs.deadline',
        severity: 'error',
        message:
          status === 'running'
            ? `the job ${id} (${kind}) lost its worker an hour ago; does a worker run?`
            : `the job ${id} (${kind}) has waited for two days; does a worker run?`,
      }
  },
}
