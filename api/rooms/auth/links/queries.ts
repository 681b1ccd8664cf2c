import { and, desc, eq, gt, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { Tables, Tx } from '../../../stores/db/index.ts'
import type { PageAfter, Reader } from '../queries.ts'

export type LinkRow = Tables['links']['$inferSelect']

/** Neither used nor expired. */
const isOpen = ({ t: { links } }: Reader, now: Date): SQL | undefined =>
  and(isNull(links.used_at), gt(links.expires_at, now))

/** The link with this digest, while it can be redeemed. */
export async function findOpenLink(db: Reader, digest: string, now: Date): Promise<LinkRow | undefined> {
  const { links } = db.t
  const [row] = await db.q
    .select()
    .from(links)
    .where(and(eq(links.digest, digest), isOpen(db, now)))
  return row
}

/** Marks a link as used, for the first who asks alone; nothing when it is used, expired or gone. */
export async function claimLink(tx: Tx, digest: string, now: Date): Promise<LinkRow | undefined> {
  const { links } = tx.t
  const [row] = await tx.q
    .update(links)
    .set({ used_at: now })
    .where(and(eq(links.digest, digest), isOpen(tx, now)))
    .returning()
  return row
}

/** Open invites, newest first. */
export async function findOpenInvites(
  db: Reader,
  now: Date,
  { after, limit }: PageAfter,
): Promise<LinkRow[]> {
  const { links } = db.t
  const isNext = after === undefined ? undefined : lt(links.id, after)
  return db.q
    .select()
    .from(links)
    .where(and(eq(links.kind, 'invite'), isOpen(db, now), isNext))
    .orderBy(desc(links.id))
    .limit(limit)
}

/** Ends the links of one kind that a user has. */
export async function endLinks(
  { q, t: { links } }: Tx,
  userId: string,
  kind: LinkRow['kind'],
): Promise<void> {
  await q.delete(links).where(and(eq(links.user_id, userId), eq(links.kind, kind), isNull(links.used_at)))
}

/** Ends every link for a user, and the invites they have made. */
export async function endLinksOf({ q, t: { links } }: Tx, userId: string): Promise<void> {
  const isTheirs = or(eq(links.user_id, userId), eq(links.created_by, userId))
  await q.delete(links).where(and(isTheirs, isNull(links.used_at)))
}
