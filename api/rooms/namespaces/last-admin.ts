import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { User } from './queries.ts'

/**
 * Whether no other enabled admin of this instance would be left without this user. Holds the rows of all admins until the
 * transaction ends, so that two do not take each other's right away on Postgres.
 */
export async function isLastAdmin({ q, t: { users } }: Tx, { id }: Pick<User, 'id'>): Promise<boolean> {
  const admins = await q
    .update(users)
    .set({ is_admin: sql`${users.is_admin}` })
    .where(eq(users.is_admin, true))
    .returning({ id: users.id, disabled: users.disabled })
  const enabled = admins.filter((admin) => !admin.disabled)
  return enabled.length > 0 && enabled.every((admin) => admin.id === id)
}

/** Throws Problem `last-admin` when the user is the last enabled admin of this instance. */
export async function refuseLastAdmin(tx: Tx, user: User): Promise<void> {
  if (await isLastAdmin(tx, user))
    throw new Problem('last-admin', {
      detail: `${user.username} is the last enabled admin. Make another user an admin first.`,
    })
}
