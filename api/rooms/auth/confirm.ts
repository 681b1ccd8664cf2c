import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Tx } from '../../stores/db/index.ts'
import { provePassword } from './change-password.ts'
import {
  assertionOptions,
  checkAssertion,
  useAssertion,
  type Assertion,
  type AssertionOptions,
} from './passkeys/assertion.ts'
import { newChallenge } from './passkeys/challenge.ts'
import { requireSession, type SessionUser } from './require-session.ts'
import { countFailure, factorKey, forgetKey, refuseLocked, refuseLockedNow } from './throttle.ts'

/** How a person proves again who they are: their password, or a passkey of theirs. */
export interface Confirmation {
  current_password?: string | undefined
  passkey?: Assertion | undefined
}

/** What a browser needs to confirm with a passkey. Problems: `session-required`, `state-conflict` without any. */
export async function confirmationOptions(ctx: Ctx): Promise<AssertionOptions> {
  const { id, auth } = requireSession(ctx)
  const challenge = newChallenge(ctx, { purpose: 'confirm', userId: id, sessionId: auth.sessionId })
  return assertionOptions(ctx, challenge, id)
}

/**
 * Has the caller's session count as a fresh sign-in for ten minutes. Problems: `session-required`, `validation-failed` unless
 * one proof is given, `wrong-password`, `no-local-password`, `forbidden` for a passkey that is not accepted, `throttled`.
 */
export async function confirmSession(ctx: Ctx, { current_password, passkey }: Confirmation): Promise<void> {
  const user = requireSession(ctx)
  if ((current_password === undefined) === (passkey === undefined))
    throw new Problem('validation-failed', {
      errors: [{ field: 'current_password', code: 'required', message: 'send the password or a passkey' }],
    })
  if (passkey) return confirmByPasskey(ctx, user, passkey)
  await provePassword(ctx, current_password ?? '')
  await ctx.db.write((tx) => markConfirmed(tx, ctx, user, 'password'))
}

async function confirmByPasskey(ctx: Ctx, user: SessionUser, given: Assertion): Promise<void> {
  const keys = [factorKey(user.id)]
  await refuseLocked(ctx, keys)
  const checked = await checkAssertion(ctx, 'confirm', given)
  const isOfSession = checked?.challenge.sessionId === user.auth.sessionId
  const isRight = await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    if (!checked || !isOfSession || !(await useAssertion(tx, ctx, checked))) {
      await countFailure(tx, keys, ctx.now())
      return false
    }
    await forgetKey(tx, factorKey(user.id))
    await markConfirmed(tx, ctx, user, 'passkey')
    return true
  })
  if (!isRight)
    throw new Problem('forbidden', {
      detail: 'This passkey was not accepted. Try again, or use your password.',
    })
}

async function markConfirmed(tx: Tx, ctx: Ctx, user: SessionUser, method: string): Promise<void> {
  const { sessions } = tx.t
  await tx.q
    .update(sessions)
    .set({ confirmed_at: ctx.now() })
    .where(and(eq(sessions.id, user.auth.sessionId), eq(sessions.user_id, user.id)))
  const target = { type: 'user', id: user.id, name: user.username }
  await audit(tx, ctx, { action: 'session.confirm', target, after: { method } })
}
