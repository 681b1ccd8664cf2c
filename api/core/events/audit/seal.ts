import { and, asc, desc, eq, gte, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import { defineJob, type RunningJob } from '../../jobs/index.ts'
import type { Db, Tables, Tx } from '../../../stores/db/index.ts'
import { NO_HASH, sealOf } from './chain.ts'

/** Every five minutes: until then a new row is not covered by the chain. */
export const SEAL_SCHEDULE = '*/5 * * * *'

/**
 * A row this much older than the last sealed one is not sealed any more, and `verifyAudit` reports it as inserted. Rows are
 * written in the transaction of their change, and no transaction takes so long.
 */
export const LATE_MS = 3_600_000

/** Rows of one transaction. */
const BATCH = 500

// Any constant works, so long as every Arsenal process uses it, and for nothing else.
const lockKey = 0x41525348

export type Seal = Tables['audit_seals']['$inferSelect']

/** The newest seal; `undefined` before the first. */
export async function lastSeal({ q, t }: Pick<Db | Tx, 'q' | 't'>): Promise<Seal | undefined> {
  const [seal] = await q.select().from(t.audit_seals).orderBy(desc(t.audit_seals.seq)).limit(1)
  return seal
}

/** Rows that no seal covers, younger than what `late` says; all of them without it. */
export function unsealed({ t }: Pick<Db, 't'>, late: Date | undefined) {
  return and(isNull(t.audit_seals.seq), late && gte(t.audit.at, late))
}

/** When rows are too late for the seal that follows this one. */
export const lateFor = (last: Seal | undefined): Date | undefined =>
  last && new Date(last.at.getTime() - LATE_MS)

/** Seals the next rows, oldest first, while no other transaction does. Answers how many. */
async function sealSome(tx: Tx, { engine }: Pick<Db, 'engine'>): Promise<number> {
  const { audit, audit_seals } = tx.t
  // A transaction of SQLite is the only writer from its beginning.
  if (engine === 'postgres')
    await tx.q.select({ locked: sql`pg_advisory_xact_lock(${lockKey})::text` }).from(sql`(select 1) as one`)
  const last = await lastSeal(tx)
  const found = await tx.q
    .select({ row: audit })
    .from(audit)
    .leftJoin(audit_seals, eq(audit_seals.audit_id, audit.id))
    .where(unsealed(tx, lateFor(last)))
    // By time, whose index begins at the last seal; by id every run would pass all earlier rows.
    .orderBy(asc(audit.at), asc(audit.id))
    .limit(BATCH)
  let [hash, seq] = [last?.hash ?? NO_HASH, last?.seq ?? 0]
  const seals = found.map(({ row }) => {
    hash = sealOf(hash, ++seq, row)
    return { seq, audit_id: row.id, hash, at: row.at }
  })
  if (seals.length > 0) await tx.q.insert(audit_seals).values(seals)
  return seals.length
}

/** Seals all rows that have no seal in `tx`, and answers the number of the newest seal; 0 without one. */
export async function sealWithin(tx: Tx, db: Pick<Db, 'engine'>): Promise<number> {
  while ((await sealSome(tx, db)) === BATCH);
  return (await lastSeal(tx))?.seq ?? 0
}

/**
 * Seals the rows that were written since the last time, in transactions of the job. The first seal of a day is logged: kept
 * elsewhere, that line proves everything before it. Answers how many rows were sealed.
 */
export async function sealNew(ctx: Ctx, job: Pick<RunningJob, 'signal' | 'write'>): Promise<number> {
  const before = await lastSeal(ctx.db)
  let sealed = 0
  for (;;) {
    job.signal.throwIfAborted()
    const count = await job.write((tx) => sealSome(tx, ctx.db))
    sealed += count
    if (count < BATCH) break
  }
  const head = await lastSeal(ctx.db)
  if (head && dayOf(before?.at) !== dayOf(head.at))
    ctx.log.info({ seq: head.seq, hash: head.hash }, 'newest seal of the audit log')
  return sealed
}

/**
 * Chains the rows of the audit. Not in the transactions that write them: these would all wait for each other at the end of
 * the chain.
 */
export const auditSeal = defineJob({
  kind: 'audit.seal',
  input: z.strictObject({}),
  maxAttempts: 3,
  title: () => 'Seal the audit log',
  async run(ctx, _, job) {
    return { sealed: await sealNew(ctx, job) }
  },
})

const dayOf = (at: Date | undefined) => at?.toISOString().slice(0, 10)
