import { jobStatuses, jobUnits } from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Background work and when it recurs. */
export const jobTables = (c: Columns) => {
  const jobs = c.table(
    'jobs',
    {
      id: c.id(),
      kind: c.text().notNull(),
      status: c.oneOf([...jobStatuses]).notNull(),
      title: c.text().notNull(),
      repo_id: c.text(),
      created_by: c.text(),
      input: c.json<unknown>().notNull(),
      result: c.json<Record<string, unknown>>(),
      problem: c.json<{ code: string; message: string }>(),
      /** Names the request, so that an equal one can find this job. */
      dedup_key: c.text(),
      /** `{kind}/{dedup key}` while queued or running; NULL after. */
      active_key: c.text(),
      /** Raised by each claim: the fencing token that guards every effect. */
      attempt: c.int().notNull(),
      max_attempts: c.int().notNull(),
      run_after: c.time().notNull(),
      lease_until: c.time(),
      worker: c.text(),
      cancel_requested: c.bool().notNull(),
      progress_done: c.bigint().notNull(),
      progress_total: c.bigint(),
      progress_unit: c.oneOf([...jobUnits]).notNull(),
      /** The trace of the request that queued it, as W3C writes one; the run goes on with it. */
      traceparent: c.text(),
      /** How many lines its log has had: the number of the last one. */
      log_lines: c.int().notNull().default(0),
      created_at: c.time().notNull(),
      started_at: c.time(),
      finished_at: c.time(),
    },
    (t) => [
      c.uniqueIndex('jobs_active_key').on(t.active_key),
      c.index('jobs_queue').on(t.status, t.run_after),
      c.index('jobs_creator').on(t.created_by),
      c.index('jobs_repo').on(t.repo_id),
    ],
  )
  return {
    jobs,
    /** What jobs say of themselves, for people. The middle of a long log is left out. */
    job_log: c.table(
      'job_log',
      {
        job_id: c
          .text()
          .notNull()
          .references(() => jobs.id, { onDelete: 'cascade' }),
        /** From 1, over all attempts. */
        number: c.int().notNull(),
        attempt: c.int().notNull(),
        at: c.time().notNull(),
        text: c.text().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.job_id, t.number] })],
    ),
    job_schedules: c.table('job_schedules', {
      kind: c.id(),
      cron: c.text().notNull(),
      next_at: c.time().notNull(),
    }),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof jobTables> {}
}
