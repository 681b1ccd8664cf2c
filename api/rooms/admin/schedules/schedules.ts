import { desc, eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import {
  enqueue,
  nextRuns,
  queuedBy,
  SCHEDULE_KEY,
  type JobRow,
  type Schedule,
} from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

/** A task that recurs, with its next and its newest run. */
export interface ScheduledTask {
  kind: string
  title: string
  /** Five fields in `server.timezone`; empty where it is switched off. */
  cron: string
  /** Missing where it is switched off, and before a worker has started. */
  nextAt: Date | undefined
  newest: Pick<JobRow, 'id' | 'status' | 'created_at'> | undefined
}

/** The tasks that recur, in the order of their registration. For instance admins. */
export async function listSchedules(ctx: Ctx, schedules: readonly Schedule[]): Promise<ScheduledTask[]> {
  requireInstanceAdmin(ctx.actor)
  const next = await nextRuns(ctx.db)
  return Promise.all(
    schedules.map(async ({ kind, cron, input }) => ({
      kind: kind.kind,
      title: kind.title(input),
      cron,
      nextAt: next.get(kind.kind),
      newest: await newestOf(ctx, kind.kind),
    })),
  )
}

async function newestOf({ db: { q, t } }: Ctx, kind: string): Promise<ScheduledTask['newest']> {
  const { jobs } = t
  const [job] = await q
    .select({ id: jobs.id, status: jobs.status, created_at: jobs.created_at })
    .from(jobs)
    .where(eq(jobs.kind, kind))
    .orderBy(desc(jobs.created_at))
    .limit(1)
  return job
}

/**
 * Queues a run of a task that recurs now; its schedule stays as it is. Answers the run that has not ended, if there is
 * one. For instance admins. Problem `not-found` for a kind that does not recur.
 */
export async function runSchedule(ctx: Ctx, schedules: readonly Schedule[], name: string) {
  const user = requireInstanceAdmin(ctx.actor)
  const schedule = schedules.find(({ kind }) => kind.kind === name)
  if (!schedule) throw new Problem('not-found', { detail: `No task of the kind "${name}" recurs.` })
  const job = await ctx.db.write(async (tx) => {
    const queued = await enqueue(tx, ctx, schedule.kind, schedule.input, { dedupKey: SCHEDULE_KEY })
    const target = { type: 'job', id: queued.id, name }
    await audit(tx, ctx, { action: 'admin.schedule.run', target })
    return queued
  })
  return queuedBy(user, job)
}
