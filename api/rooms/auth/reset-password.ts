import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { lockNamespace, requireNamedUser, setPasswordHash, type User } from '../namespaces/index.ts'
import { removeGeneratedPassword } from './generated-password.ts'
import { checkPasswordPolicy, hashPassword } from './passwords.ts'
import { denyDevicesOf, revokeAllOf } from './revoke-tokens.ts'
import { liftLocks } from './throttle.ts'

/**
 * Gives a user a new password without asking for the old one, ends all their sessions and what they have approved, and
 * lifts the locks on their name. Their tokens stay unless `revokeTokens` says otherwise; answers how many were revoked.
 * For the command line. Problems: `not-found`, `weak-password`.
 */
export async function resetPassword(
  ctx: Ctx,
  username: string,
  password: string,
  { revokeTokens = false }: { revokeTokens?: boolean } = {},
): Promise<number> {
  const user = await requireNamedUser(ctx.db, username)
  await checkPasswordPolicy(ctx.db, { field: 'password', password, username: user.username })
  const hash = await hashPassword(password)
  const revoked = await ctx.db.write((tx) => replacePassword(tx, ctx, user, hash, revokeTokens))
  await removeGeneratedPassword(ctx, user.username)
  return revoked
}

/** The same within a transaction, with a password that has been checked and hashed. */
export async function replacePassword(
  tx: Tx,
  ctx: Ctx,
  user: User,
  hash: string,
  revokeTokens: boolean,
): Promise<number> {
  const { sessions } = tx.t
  await lockNamespace(tx, user.id)
  await setPasswordHash(tx, user.id, hash)
  await tx.q.delete(sessions).where(eq(sessions.user_id, user.id))
  await denyDevicesOf(tx, user.id)
  const revoked = revokeTokens ? await revokeAllOf(tx, ctx, user.id) : []
  await liftLocks(tx, user.username)
  await audit(tx, ctx, {
    action: 'password.reset',
    target: { type: 'user', id: user.id, name: user.username },
    after: { tokens_revoked: revoked.length },
  })
  return revoked.length
}
