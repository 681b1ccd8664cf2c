import { eq } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { audit } from '../events/index.ts'
import { requireNamedUser, setPasswordHash } from '../namespaces/index.ts'
import { checkPasswordPolicy, hashPassword } from './passwords.ts'
import { forgetFailures, userKey } from './throttle.ts'

/**
 * Gives a user a new password without asking for the old one, ends all their Sessions and lifts the lock on their
 * name. For the command line. Problems: `not-found`, `weak-password`.
 */
export async function resetPassword(ctx: Ctx, username: string, password: string): Promise<void> {
  const user = await requireNamedUser(ctx.db, username)
  await checkPasswordPolicy('password', password, user.username)
  const hash = await hashPassword(password)
  await ctx.db.write(async (tx) => {
    const { sessions } = tx.t
    await setPasswordHash(tx, user.id, hash)
    await tx.q.delete(sessions).where(eq(sessions.user_id, user.id))
    await forgetFailures(tx, [userKey(user.username)])
    await audit(tx, ctx, {
      action: 'password.reset',
      target: { type: 'user', id: user.id, name: user.username },
    })
  })
}
