import { and, eq, getTableColumns, inArray, lte } from 'drizzle-orm'
import type { JobStatus } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import { inBatches, type Db, type Tx } from '../../stores/db/index.ts'

/** A handle that reads: the database, a snapshot or an open transaction. */
export type Reading = Pick<Db, 'q' | 't'>
export type XorbRow = Db['t']['chunk_xorbs']['$inferSelect']
export type RebuildRow = Db['t']['chunk_rebuilds']['$inferSelect']

/** Writing "last used" more often than daily would make every upload a write of its own. */
const TOUCH_EVERY_MS = 24 * 3_600_000

/** The xorb of this hash, from any sender. */
export async function findXorb({ q, t }: Reading, hash: string): Promise<XorbRow | undefined> {
  const [row] = await q.select().from(t.chunk_xorbs).where(eq(t.chunk_xorbs.xorb_hash, hash))
  return row
}

/** The stored xorbs among `hashes`, from any sender. */
export function findXorbsByHash({ q, t }: Reading, hashes: Iterable<string>): Promise<XorbRow[]> {
  const { chunk_xorbs: x } = t
  return inBatches(hashes, (some) => q.select().from(x).where(inArray(x.xorb_hash, some)))
}

/** The stored xorbs among `hashes` that this user sent in full. */
export function findSentXorbs(
  { q, t }: Reading,
  userId: string,
  hashes: Iterable<string>,
): Promise<XorbRow[]> {
  const { chunk_xorbs: x, chunk_xorb_uploads: u } = t
  return inBatches(hashes, async (some) => {
    const rows = await q
      .select({ xorb: x })
      .from(x)
      .innerJoin(u, eq(u.xorb_hash, x.xorb_hash))
      .where(and(inArray(x.xorb_hash, some), eq(u.user_id, userId)))
    return rows.map(({ xorb }) => xorb)
  })
}

/**
 * Enters a xorb, or notes that the one stored under its hash was used. Answers the key of the one that stays: one statement
 * either way, since the time it takes must not tell whether others have sent it.
 */
export async function recordXorb(
  { q, t }: Tx,
  { now: clock }: Pick<Ctx, 'now'>,
  xorb: Omit<XorbRow, 'created_at' | 'last_used_at'>,
): Promise<string | undefined> {
  const { chunk_xorbs: x } = t
  const now = clock()
  const [kept] = await q
    .insert(x)
    .values({ ...xorb, created_at: now, last_used_at: now })
    .onConflictDoUpdate({ target: x.xorb_hash, set: { last_used_at: now } })
    .returning({ key: x.key })
  return kept?.key
}

/** Notes that xorbs were used; answers nothing. That keeps one that is due for deletion from the collector. */
export async function touchXorbs(
  { q, t }: Tx,
  { config, now: clock }: Pick<Ctx, 'config' | 'now'>,
  hashes: Iterable<string>,
): Promise<void> {
  const { chunk_xorbs: x } = t
  const now = clock()
  const everyMs = Math.min(TOUCH_EVERY_MS, config.chunk.xorb_retention / 2)
  const cutoff = new Date(now.getTime() - everyMs)
  await inBatches(hashes, async (some) => {
    await q
      .update(x)
      .set({ last_used_at: now })
      .where(and(inArray(x.xorb_hash, some), lte(x.last_used_at, cutoff)))
    return []
  })
}

/** The rebuilds under these `active_key`s, and whether their job may still finish them. */
export function activeRebuilds(
  { q, t }: Reading,
  keys: Iterable<string>,
): Promise<{ row: RebuildRow; isWorkedOn: boolean }[]> {
  const { chunk_rebuilds: r, jobs } = t
  return inBatches(keys, async (some) => {
    const rows = await q
      .select({ row: getTableColumns(r), status: jobs.status })
      .from(r)
      .leftJoin(jobs, eq(jobs.id, r.job_id))
      .where(inArray(r.active_key, some))
    return rows.map(({ row, status }) => ({ row, isWorkedOn: isWorkedOn(status) }))
  })
}

/** Whether a job in this state may still do its work. */
export const isWorkedOn = (status: JobStatus | null): boolean => status === 'queued' || status === 'running'
