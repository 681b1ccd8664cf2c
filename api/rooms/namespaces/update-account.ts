import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { setAdminRight } from './admin-right.ts'
import { emailTaken } from './create-user.ts'
import { emailKey, findUserByEmail, type User } from './queries.ts'

/** What admins change about a user; a field left out is unchanged. `disabled` is `setDisabled`. */
export interface AccountUpdate {
  display_name?: string | undefined
  /** Takes effect at once, as verified; `''` removes the address. */
  email?: string | undefined
  is_admin?: boolean | undefined
}

/**
 * Changes a user as an admin does, within a transaction that holds their namespace. Problems: `email-taken`,
 * `last-admin`, `state-conflict` for an admin right that a provider's group grants.
 */
export async function updateAccount(tx: Tx, ctx: Ctx, user: User, change: AccountUpdate): Promise<void> {
  const { users, namespaces } = tx.t
  const target = { type: 'user', id: user.id, name: user.username }
  const { display_name, email, is_admin } = change
  if (display_name !== undefined && display_name !== user.display_name) {
    await tx.q.update(namespaces).set({ display_name }).where(eq(namespaces.id, user.id))
    const before = { display_name: user.display_name }
    await audit(tx, ctx, { action: 'user.update', target, before, after: { display_name } })
  }
  if (email !== undefined && email !== (user.email ?? '')) {
    await tx.q
      .update(users)
      .set(await emailColumns(tx, user, email))
      .where(eq(users.id, user.id))
    await audit(tx, ctx, {
      action: 'user.email.set',
      target,
      before: { email: user.email },
      after: { email },
    })
  }
  if (is_admin !== undefined) await setAdminRight(tx, ctx, user, is_admin)
}

async function emailColumns(tx: Tx, user: User, email: string) {
  if (email === '') return { email: null, email_key: null, email_verified: false, pending_email: null }
  const owner = await findUserByEmail(tx, email)
  if (owner && owner.id !== user.id) throw emailTaken()
  return { email, email_key: emailKey(email), email_verified: true, pending_email: null }
}
