import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Tx } from '../../stores/db/index.ts'
import { refuseLastAdmin } from './last-admin.ts'
import { lockNamespace, type User } from './queries.ts'
import { requireNamedUser } from './require.ts'

/**
 * Gives or takes a user's admin right. A right that is given by hand is no longer a provider's to take. Problems:
 * `last-admin`, `state-conflict` for a right that a provider's group grants.
 */
export async function setAdminRight(tx: Tx, ctx: Ctx, user: User, isAdmin: boolean): Promise<void> {
  if (isAdmin === user.is_admin && (user.admin_source === null || !isAdmin)) return
  if (!isAdmin) {
    if (user.admin_source !== null)
      throw new Problem('state-conflict', {
        detail: `A group of ${user.admin_source} grants ${user.username} the admin right. Remove them from the group, or disable the account.`,
      })
    await refuseLastAdmin(tx, user)
  }
  const { users } = tx.t
  await tx.q.update(users).set({ is_admin: isAdmin, admin_source: null }).where(eq(users.id, user.id))
  await audit(tx, ctx, {
    action: 'user.admin.set',
    target: { type: 'user', id: user.id, name: user.username },
    before: { is_admin: user.is_admin },
    after: { is_admin: isAdmin },
  })
}

/** The same by username, for the command line; also `not-found`. Answers whether anything changed. */
export async function setAdminByName(ctx: Ctx, username: string, isAdmin: boolean): Promise<boolean> {
  const { id } = await requireNamedUser(ctx.db, username)
  return ctx.db.write(async (tx) => {
    await lockNamespace(tx, id)
    const user = await requireNamedUser(tx, username)
    await setAdminRight(tx, ctx, user, isAdmin)
    return user.is_admin !== isAdmin
  })
}
