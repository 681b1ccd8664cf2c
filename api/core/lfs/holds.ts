import { and, eq, gt, lte, max } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import type { Reading } from './queries.ts'

/**
 * Long enough to continue an interrupted backup the same day, short enough that a forgotten one does not fill the disk. A
 * backup that runs extends its hold every few minutes.
 */
const HOLD_MS = 6 * 3_600_000

/**
 * From now on no bytes that a row names, or named when this commits, are deleted until the hold is released or expires. A
 * view of the database that is opened afterwards names bytes that stay. Survives the process that placed it.
 */
export async function placeHold(
  { q, t: { gc_holds: h } }: Tx,
  { now }: Pick<Ctx, 'now'>,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await q.delete(h).where(lte(h.expires_at, now()))
  await q.insert(h).values({ id, reason, created_at: now(), expires_at: expiry(now()) })
}

/** `false` when it has expired: bytes may have been deleted since. */
export async function extendHold(
  { q, t: { gc_holds: h } }: Tx,
  { now }: Pick<Ctx, 'now'>,
  id: string,
): Promise<boolean> {
  const held = await q
    .update(h)
    .set({ expires_at: expiry(now()) })
    .where(and(eq(h.id, id), gt(h.expires_at, now())))
    .returning({ id: h.id })
  return held.length > 0
}

/** Lets deletions go on. */
export async function releaseHold({ q, t: { gc_holds: h } }: Tx, id: string): Promise<void> {
  await q.delete(h).where(eq(h.id, id))
}

/** Until when deletions wait; `undefined` when nothing holds them. Asked after the rows are gone and before the bytes go. */
export async function heldUntil({ q, t: { gc_holds: h } }: Reading, now: Date): Promise<Date | undefined> {
  const [row] = await q
    .select({ until: max(h.expires_at) })
    .from(h)
    .where(gt(h.expires_at, now))
  return row?.until ?? undefined
}

const expiry = (now: Date) => new Date(now.getTime() + HOLD_MS)
