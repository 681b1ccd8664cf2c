import { asc, desc, eq, gt } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../../stores/db/index.ts'
import { lastSeal, lateFor } from './seal.ts'
import { countUnsealed } from './verify.ts'

/** What comes after a number of the chain. */
export interface Waiting {
  /** Rows that are there, sealed or not. */
  rows: number
  /** Sealed rows that are gone: those that expired. */
  gone: number
}

/** The number of the first sealed row after `after` that is still there. */
export async function firstSeal(
  { q, t: { audit, audit_seals } }: Pick<Db | Tx, 'q' | 't'>,
  after: number,
): Promise<number | undefined> {
  const [first] = await q
    .select({ seq: audit_seals.seq })
    .from(audit_seals)
    .innerJoin(audit, eq(audit.id, audit_seals.audit_id))
    .where(gt(audit_seals.seq, after))
    .orderBy(asc(audit_seals.seq))
    .limit(1)
  return first?.seq
}

/** Counts what comes after a number of the chain. */
export async function countWaiting(ctx: Pick<Ctx, 'db'>, after: number): Promise<Waiting> {
  const head = await lastSeal(ctx.db)
  const end = Math.max(head?.seq ?? 0, after) + 1
  // A row that was sealed since belongs to the next count.
  const first = Math.min((await firstSeal(ctx.db, after)) ?? end, end)
  return { rows: end - first + (await countUnsealed(ctx, head)), gone: first - 1 - after }
}

/** Whether anything comes after a number of the chain: two rows are read, however long the audit is. */
export async function isAnyWaiting({ db }: Pick<Ctx, 'db'>, after: number): Promise<boolean> {
  const head = await lastSeal(db)
  if (head && head.seq > after) return true
  const { audit, audit_seals } = db.t
  const [newest] = await db.q
    .select({ at: audit.at, seq: audit_seals.seq })
    .from(audit)
    .leftJoin(audit_seals, eq(audit_seals.audit_id, audit.id))
    .orderBy(desc(audit.id))
    .limit(1)
  const late = lateFor(head)
  return newest !== undefined && newest.seq === null && (late === undefined || newest.at >= late)
}
