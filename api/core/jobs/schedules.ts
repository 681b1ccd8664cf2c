import { Cron } from 'croner'
import { and, eq, lte, notInArray } from 'drizzle-orm'
import { system } from '../access/index.ts'
import type { Deps } from '../ctx.ts'
import type { Db, Tx } from '../../stores/db/index.ts'
import { enqueue } from './enqueue.ts'
import type { JobKind } from './kind.ts'

/** What equal runs of a task that recurs have in common: one is queued or running at a time. */
export const SCHEDULE_KEY = 'schedule'

/** A kind that recurs; one schedule per kind. */
export interface Schedule {
  kind: JobKind
  input: unknown
  /** Five fields, in `server.timezone`; empty switches it off. */
  cron: string
}

/** The first time after `after` that a five-field cron expression names. */
export function nextRun(cron: string, timezone: string, after: Date): Date {
  const next = new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun(after)
  if (!next) throw new Error(`the schedule ${cron} never comes`)
  return next
}

/** Whether text is a five-field cron expression that comes. */
export function isSchedule(cron: string, timezone: string): boolean {
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun() !== null
  } catch {
    return false
  }
}

/** Brings the table in line with the configuration: a changed expression counts from now. */
export async function settleSchedules({ db, config }: Deps, schedules: Schedule[], now: Date): Promise<void> {
  const wanted = schedules.filter((schedule) => schedule.cron !== '')
  await db.write(async ({ q, t: { job_schedules } }) => {
    await q.delete(job_schedules).where(
      notInArray(
        job_schedules.kind,
        wanted.map(({ kind }) => kind.kind),
      ),
    )
    const rows = await q.select().from(job_schedules)
    for (const { kind, cron } of wanted) {
      if (rows.some((row) => row.kind === kind.kind && row.cron === cron)) continue
      const set = { cron, next_at: nextRun(cron, config.server.timezone, now) }
      await q
        .insert(job_schedules)
        .values({ kind: kind.kind, ...set })
        .onConflictDoUpdate({ target: job_schedules.kind, set })
    }
  })
}

/** When each kind that recurs comes next. */
export async function nextRuns({ q, t }: Pick<Db, 'q' | 't'>): Promise<Map<string, Date>> {
  const rows = await q.select().from(t.job_schedules)
  return new Map(rows.map(({ kind, next_at }) => [kind, next_at]))
}

/** Queues what is due. Times that were missed while no worker ran count as one. */
export async function fireSchedules(deps: Deps, schedules: Schedule[], now: Date): Promise<void> {
  const { q, t } = deps.db
  const due = await q.select().from(t.job_schedules).where(lte(t.job_schedules.next_at, now))
  for (const { kind, next_at } of due) {
    const schedule = schedules.find((one) => one.kind.kind === kind)
    if (schedule) await deps.db.write((tx) => fire(tx, deps, schedule, { due: next_at, now }))
  }
}

async function fire(
  tx: Tx,
  deps: Deps,
  { kind, cron, input }: Schedule,
  { due, now }: { due: Date; now: Date },
) {
  const { job_schedules } = tx.t
  // Of several workers one moves the time on.
  const [moved] = await tx.q
    .update(job_schedules)
    .set({ next_at: nextRun(cron, deps.config.server.timezone, now) })
    .where(and(eq(job_schedules.kind, kind.kind), eq(job_schedules.next_at, due)))
    .returning({ kind: job_schedules.kind })
  if (moved) await enqueue(tx, { ...deps, actor: system }, kind, input, { dedupKey: SCHEDULE_KEY })
}
