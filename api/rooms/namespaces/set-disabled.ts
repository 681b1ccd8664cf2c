import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { refuseLastAdmin } from './last-admin.ts'
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
