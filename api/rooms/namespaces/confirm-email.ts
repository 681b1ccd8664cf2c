import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { emailTaken } from './create-user.ts'
import { emailKey, findUserByEmail, findUserById, lockNamespace } from './queries.ts'

/**
 * Makes a user's pending address the verified one, within a transaction; answers false when it is not pending any more.
 * Problem `email-taken` when another user has it by now.
 */
export async function confirmEmail(tx: Tx, ctx: Ctx, userId: string, email: string): Promise<boolean> {
  await lockNamespace(tx, userId)
  const user = await findUserById(tx, userId)
  if (!user || user.pending_email !== email) return false
  const owner = await findUserByEmail(tx, email)
  if (owner && owner.id !== userId) throw emailTaken()
  const { users } = tx.t
  await tx.q
    .update(users)
    .set({ email, email_key: emailKey(email), email_verified: true, pending_email: null })
    .where(eq(users.id, userId))
  await audit(tx, ctx, {
    action: 'user.email.confirm',
    target: { type: 'user', id: userId, name: user.username },
    before: { email: user.email },
    after: { email },
  })
  return true
}
