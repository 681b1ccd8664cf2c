import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Tx } from '../../stores/db/index.ts'

/** Stores another password, which a person chose; `auth/` makes the hash. */
export async function setPasswordHash({ q, t: { users } }: Tx, userId: string, hash: string): Promise<void> {
  await q.update(users).set({ password_hash: hash, password_generated: false }).where(eq(users.id, userId))
}

/** Stores the same password, hashed with present parameters. */
export async function renewPasswordHash(
  { q, t: { users } }: Tx,
  userId: string,
  hash: string,
): Promise<void> {
  await q.update(users).set({ password_hash: hash }).where(eq(users.id, userId))
}

/** Notes that the user's password is the one that the server made up. */
export async function markPasswordGenerated({ q, t: { users } }: Tx, userId: string): Promise<void> {
  await q.update(users).set({ password_generated: true }).where(eq(users.id, userId))
}

/** Notes that the user was here, never earlier than noted before. */
export async function touchUser({ q, t: { users } }: Tx, userId: string, now: Date): Promise<void> {
  const isOlder = or(isNull(users.last_seen_at), lte(users.last_seen_at, now))
  await q
    .update(users)
    .set({ last_seen_at: now })
    .where(and(eq(users.id, userId), isOlder))
}
