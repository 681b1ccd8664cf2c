import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Tx } from '../../stores/db/index.ts'

/** Replaces the stored password; `auth/` makes the hash. */
export async function setPasswordHash({ q, t: { users } }: Tx, userId: string, hash: string): Promise<void> {
  await q.update(users).set({ password_hash: hash }).where(eq(users.id, userId))
}

/** Notes that the user was here, never earlier than noted before. */
export async function touchUser({ q, t: { users } }: Tx, userId: string, now: Date): Promise<void> {
  const isOlder = or(isNull(users.last_seen_at), lte(users.last_seen_at, now))
  await q
    .update(users)
    .set({ last_seen_at: now })
    .where(and(eq(users.id, userId), isOlder))
}
