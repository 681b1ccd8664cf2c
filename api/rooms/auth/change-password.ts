import { and, eq, ne } from 'drizzle-orm'
import { requireUser, type UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { findUserById, lockNamespace, setPasswordHash } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { removeGeneratedPassword } from './generated-password.ts'
import { passwordKeys } from './known-networks.ts'
import { checkPasswordPolicy, hashPassword, verifyPassword } from './passwords.ts'
import { countFailure, forgetFailures, refuseLocked, refuseLockedNow } from './throttle.ts'

/** A change of one's own password, proven by the present one. */
export interface PasswordChange {
  current_password: string
  new_password: string
}

function wrongPassword(): Problem {
  const message = 'this is not your present password'
  return new Problem('wrong-password', {
    errors: [{ field: 'current_password', code: 'wrong-password', message }],
  })
}

/**
 * Replaces the caller's password and ends their other sessions; the present one and tokens stay. Problems:
 * `session-required`, `no-local-password`, `throttled`, `wrong-password`, `weak-password`.
 */
export async function changePassword(ctx: Ctx, change: PasswordChange): Promise<void> {
  const { actor, sessionId } = requireSession(ctx)
  const user = await findUserById(ctx.db, actor.id)
  if (!user?.password_hash)
    throw new Problem('no-local-password', { detail: 'You sign in with an external provider.' })
  const { username: name, id: userId } = user
  const keys = await passwordKeys(ctx, { name, userId, ip: ctx.origin.ip })
  await refuseLocked(ctx, keys)
  const isRight = await verifyPassword(user.password_hash, change.current_password)
  const chosen = { field: 'new_password', password: change.new_password, username: user.username }
  if (isRight) await checkPasswordPolicy(ctx.db, chosen)
  const newHash = isRight ? await hashPassword(change.new_password) : ''
  const isChanged = await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    await lockNamespace(tx, user.id)
    const present = await findUserById(tx, user.id)
    if (!isRight || present?.password_hash !== user.password_hash) {
      await countFailure(tx, keys, ctx.now())
      await auditPassword(tx, ctx, actor, 'fail')
      return false
    }
    await forgetFailures(tx, name, keys)
    await replace(tx, ctx, actor, newHash, sessionId)
    return true
  })
  if (!isChanged) throw wrongPassword()
  await removeGeneratedPassword(ctx, name)
}

/**
 * Checks the caller's present password, for what a session alone may not do. Wrong ones count as failed sign-ins.
 * Problems: `session-required`, `no-local-password`, `throttled`, `wrong-password`.
 */
export async function provePassword(ctx: Ctx, password: string): Promise<void> {
  const { actor } = requireSession(ctx)
  const user = await findUserById(ctx.db, actor.id)
  if (!user?.password_hash) throw new Problem('no-local-password')
  const keys = await passwordKeys(ctx, { name: user.username, userId: user.id, ip: ctx.origin.ip })
  await refuseLocked(ctx, keys)
  const isRight = await verifyPassword(user.password_hash, password)
  await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    if (isRight) return forgetFailures(tx, user.username, keys)
    await countFailure(tx, keys, ctx.now())
    await auditPassword(tx, ctx, actor, 'fail')
  })
  if (!isRight) throw wrongPassword()
}

function requireSession(ctx: Ctx): { actor: UserActor; sessionId: string } {
  const actor = requireUser(ctx.actor)
  if (actor.auth.kind !== 'session')
    throw new Problem('session-required', {
      detail: 'A password is changed in the browser, never with a token.',
    })
  return { actor, sessionId: actor.auth.sessionId }
}

async function replace(tx: Tx, ctx: Ctx, actor: UserActor, hash: string, keptSession: string): Promise<void> {
  const { sessions } = tx.t
  await setPasswordHash(tx, actor.id, hash)
  await tx.q.delete(sessions).where(and(eq(sessions.user_id, actor.id), ne(sessions.id, keptSession)))
  await auditPassword(tx, ctx, actor, 'change')
}

async function auditPassword(tx: Tx, ctx: Ctx, actor: UserActor, what: 'change' | 'fail'): Promise<void> {
  const target = { type: 'user', id: actor.id, name: actor.username }
  await audit(tx, ctx, {
    action: `password.${what}`,
    target,
    outcome: what === 'fail' ? 'refused' : 'ok',
  })
}
