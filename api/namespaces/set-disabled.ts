import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/index.ts'
import { audit } from '../events/index.ts'
import { Problem } from '../problems/index.ts'
import { lockNamespace, type User } from './queries.ts'

/**
 * Disables or enables a user within a transaction; answers false when they were so already. `auth/` ends what they have
 * open. Problem `last-admin` when no other enabled admin of this instance would be left.
 */
export async function setDisabled(tx: Tx, ctx: Ctx, user: User, disabled: boolean): Promise<boolean> {
  const { users } = tx.t
  await lockNamespace(tx, user.id)
  if (disabled) await refuseLastAdmin(tx, user)
  const changed = await tx.q
    .update(users)
    .set({ disabled })
    .where(and(eq(users.id, user.id), eq(users.disabled, !disabled)))
    .returning({ id: users.id })
  if (changed.length === 0) return false
  await audit(tx, ctx, {
    action: disabled ? 'user.disable' : 'user.enable',
    target: { type: 'user', id: user.id, name: user.username },
    before: { disabled: !disabled },
    after: { disabled },
  })
  return true
}

/** Holds the rows of all admins until the transaction ends, so that two do not disable one another on Postgres. */
async function refuseLastAdmin({ q, t: { users } }: Tx, { id, username }: User): Promise<void> {
  const admins = await q
    .update(users)
    .set({ is_admin: sql`${users.is_admin}` })
    .where(eq(users.is_admin, true))
    .returning({ id: users.id, disabled: users.disabled })
  const enabled = admins.filter((admin) => !admin.disabled)
  if (enabled.length > 0 && enabled.every((admin) => admin.id === id))
    throw new Problem('last-admin', {
      detail: `${username} is the last enabled admin. Make another user an admin first.`,
    })
}
