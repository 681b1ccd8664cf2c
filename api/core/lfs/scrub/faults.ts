import { and, asc, eq, gt, lt } from 'drizzle-orm'
import type { Tx } from '../../../stores/db/index.ts'
import type { Reading } from '../queries.ts'

export type BlobFault = Tx['t']['blob_faults']['$inferSelect']

/** How long damage is shown that nothing but a new upload can heal. */
const SHOWN_MS = 30 * 24 * 3_600_000

/** Writes down that stored bytes are damaged, for admins and for a restore of these bytes alone. */
export async function noteFault({ q, t: { blob_faults: f } }: Tx, fault: BlobFault): Promise<void> {
  const { message, found_at } = fault
  await q.insert(f).values(fault).onConflictDoUpdate({ target: f.key, set: { message, found_at } })
}

/** Sound bytes have taken the place of these. */
export async function dropFault({ q, t: { blob_faults: f } }: Tx, key: string): Promise<void> {
  await q.delete(f).where(eq(f.key, key))
}

/** Forgets containers of chunks that were found damaged long ago: their row went at once, and the next upload sends them again. */
export async function dropOldFaults(
  { q, t: { blob_faults: f } }: Tx,
  kind: string,
  now: Date,
): Promise<void> {
  await q.delete(f).where(and(eq(f.kind, kind), lt(f.found_at, new Date(now.getTime() - SHOWN_MS))))
}

/** A page of what is damaged, by key. */
export function listFaults(
  { q, t: { blob_faults: f } }: Reading,
  after: string,
  limit: number,
): Promise<BlobFault[]> {
  return q.select().from(f).where(gt(f.key, after)).orderBy(asc(f.key)).limit(limit)
}
