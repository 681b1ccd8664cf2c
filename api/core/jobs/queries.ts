import { and, asc, eq, inArray, lt, lte, notInArray, or, sql, type SQL } from 'drizzle-orm'
import type { Db, Reads, Tables, Tx } from '../../stores/db/index.ts'
import type { JobKind } from './kind.ts'

export type JobRow = Tables['jobs']['$inferSelect']

/** One attempt at a job: the pair that guards every effect. */
export interface Attempt {
  id: string
  attempt: number
}

/** The time all workers share: that of the database, since the clocks of several machines differ. */
export type QueueClock = (q: Reads) => Promise<Date>

/** Postgres' clock. On SQLite every worker is this process, whose own clock does. */
export function databaseClock(db: Db, now: () => Date): QueueClock {
  if (db.engine === 'sqlite') return async () => now()
  const ms = sql<number>`extract(epoch from clock_timestamp()) * 1000`.mapWith((value: string) =>
    Math.round(Number(value)),
  )
  return async (q) => {
    const [row] = await q.select({ ms }).from(sql`(select 1) as one`)
    return new Date(row?.ms ?? now())
  }
}

const held = ({ jobs }: Tables, { id, attempt }: Attempt): SQL | undefined =>
  and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'running'))

/** What a claim asks of a kind. */
export type ClaimedKind = Pick<JobKind, 'kind' | 'onePerUser' | 'admitsEqual'>

const namesOf = (kinds: readonly ClaimedKind[]) => kinds.map(({ kind }) => kind)

function due({ jobs }: Tables, kinds: readonly ClaimedKind[], now: Date) {
  const onePerUser = namesOf(kinds.filter((kind) => kind.onePerUser))
  const isTheirTurn = sql`not exists (
    select 1 from ${jobs} as under_way where under_way.status = 'running'
    and under_way.kind = ${jobs.kind} and under_way.created_by = ${jobs.created_by})`
  return and(
    eq(jobs.status, 'queued'),
    inArray(jobs.kind, namesOf(kinds)),
    lte(jobs.run_after, now),
    onePerUser.length > 0 ? or(notInArray(jobs.kind, onePerUser), isTheirTurn) : undefined,
  )
}

/** Whether any job of `kinds` could be claimed now. */
export async function anyDue({ q, t }: Db, kinds: readonly ClaimedKind[], now: Date): Promise<boolean> {
  const rows = await q
    .select({ id: t.jobs.id })
    .from(t.jobs)
    .where(due(t, kinds, now))
    .limit(1)
  return rows.length > 0
}

// A job that another worker is taking at this moment is passed over: that worker may be frozen in its transaction.
const skipLocked = { sqlite: sql``, postgres: sql` for update skip locked` }

/** Who wants to work on what. */
interface Claim {
  engine: Db['engine']
  kinds: readonly ClaimedKind[]
  worker: string
  now: Date
  leaseMs: number
}

/** Takes the job that waits longest; `undefined` when there is none or another worker was faster. */
export async function claimOne(
  { q, t }: Tx,
  { engine, kinds, worker, now, leaseMs }: Claim,
): Promise<JobRow | undefined> {
  const { jobs } = t
  const first = q
    .select({ id: jobs.id })
    .from(jobs)
    .where(due(t, kinds, now))
    .orderBy(asc(jobs.run_after), asc(jobs.id))
    .limit(1)
  const admitting = namesOf(kinds.filter(({ admitsEqual }) => admitsEqual))
  const [row] = await q
    .update(jobs)
    .set({
      status: 'running',
      active_key: sql`case when ${inArray(jobs.kind, admitting)} then null else ${jobs.active_key} end`,
      attempt: sql`${jobs.attempt} + 1`,
      worker,
      lease_until: new Date(now.getTime() + leaseMs),
      started_at: now,
      finished_at: null,
      problem: null,
      progress_done: 0,
      progress_total: null,
    })
    .where(and(eq(jobs.id, sql`(${first.getSQL()}${skipLocked[engine]})`), eq(jobs.status, 'queued')))
    .returning()
  const isOnePerUser = kinds.some(({ kind, onePerUser }) => onePerUser && kind === row?.kind)
  if (row && isOnePerUser) await goBehind({ q, t }, engine, row)
  return row
}

/** Whose job has begun goes behind those who have waited until now; their own jobs keep their order. */
async function goBehind(
  { q, t: { jobs } }: Pick<Tx, 'q' | 't'>,
  engine: Db['engine'],
  { kind, created_by, started_at }: JobRow,
): Promise<void> {
  if (created_by === null || started_at === null) return
  const theirs = q
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.status, 'queued'),
        eq(jobs.kind, kind),
        eq(jobs.created_by, created_by),
        lt(jobs.run_after, started_at),
      ),
    )
  await q
    .update(jobs)
    .set({ run_after: started_at })
    .where(sql`${jobs.id} in (${theirs.getSQL()}${skipLocked[engine]})`)
}

/** Changes the job while `attempt` holds it; false when it does not any more. */
export async function setHeld({ q, t }: Tx, attempt: Attempt, set: Partial<JobRow>): Promise<boolean> {
  const rows = await q.update(t.jobs).set(set).where(held(t, attempt)).returning({ id: t.jobs.id })
  return rows.length > 0
}

/** What the database says of jobs this process runs. */
export async function readAttempts({ q, t: { jobs } }: Db, ids: string[]) {
  return q
    .select({
      id: jobs.id,
      attempt: jobs.attempt,
      status: jobs.status,
      cancelRequested: jobs.cancel_requested,
    })
    .from(jobs)
    .where(inArray(jobs.id, ids))
}

/** Running jobs whose worker has fallen silent. */
export async function lapsedJobs({ q, t: { jobs } }: Db, now: Date): Promise<JobRow[]> {
  return q
    .select()
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), lt(jobs.lease_until, now)))
    .limit(100)
}

/**
 * The job as it is now, which no other changes until the transaction ends; nothing when the attempt holds it no more or
 * its lease was renewed meanwhile.
 */
export async function lockLapsed({ q, t }: Tx, attempt: Attempt, now: Date): Promise<JobRow | undefined> {
  const [row] = await q
    .update(t.jobs)
    .set({ worker: null })
    .where(and(held(t, attempt), lt(t.jobs.lease_until, now)))
    .returning()
  return row
}
