import { asc, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Deps } from '../ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import { Execution } from './execution.ts'
import type { JobKind } from './kind.ts'
import { claimOne, type ClaimedKind, type JobRow } from './queries.ts'

/** The first of these jobs that is due by the world's clock, as a worker with a lease of a minute holds it. */
export function claimed({ db, now }: Deps, ...kinds: readonly ClaimedKind[]): Promise<JobRow | undefined> {
  const wanted = { engine: db.engine, kinds, worker: 'test', now: now(), leaseMs: 60_000 }
  return db.write((tx) => claimOne(tx, wanted))
}

export async function jobRow({ q, t: { jobs } }: Db, id: string): Promise<JobRow> {
  const [row] = await q.select().from(jobs).where(eq(jobs.id, id))
  return row ?? expect.fail('no such job')
}

/** What the log of a job says, line by line. */
export async function loggedBy({ q, t: { job_log: l } }: Db, id: string): Promise<string[]> {
  const rows = await q.select({ text: l.text }).from(l).where(eq(l.job_id, id)).orderBy(asc(l.number))
  return rows.map(({ text }) => text)
}

/** Runs the first job of `kinds` that is due by the world's clock; answers whether there was one. */
export async function runNextJob(deps: Deps, kinds: readonly JobKind[]): Promise<boolean> {
  const job = await claimed(deps, ...kinds)
  const kind = kinds.find((one) => one.kind === job?.kind)
  if (job && kind) await new Execution(deps, kind, job, async () => deps.now()).run()
  return job !== undefined
}

/** Runs every job of `kinds` that is due by the world's clock, one after another, until none is left. */
export async function runJobs(deps: Deps, kinds: readonly JobKind[]): Promise<void> {
  while (await runNextJob(deps, kinds));
}
