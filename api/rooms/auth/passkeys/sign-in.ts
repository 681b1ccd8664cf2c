import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { findUserById, lockNamespace, touchUser, type User } from '../../namespaces/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { clientOf } from '../client-of.ts'
import { isLocal } from '../local-login.ts'
import { beginSession } from '../session.ts'
import { countFailure, ipKey, refuseLocked, refuseLockedNow } from '../throttle.ts'
import { checkAssertion, useAssertion, type Assertion, type CheckedAssertion } from './assertion.ts'

/**
 * Signs in with a passkey alone, which has verified its user: answers the secret of a fresh session, which replaces that of
 * `earlierSecret`. Whatever is wrong is Problem `bad-credentials`; also `throttled`.
 */
export async function signInWithPasskey(ctx: Ctx, given: Assertion, earlierSecret?: string): Promise<string> {
  const keys = [ipKey(ctx.origin.ip)]
  await refuseLocked(ctx, keys)
  const checked = await checkAssertion(ctx, 'sign-in', given)
  const secret = await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    const user = checked && (await admitted(tx, ctx, checked))
    if (!user) {
      await countFailure(tx, keys, ctx.now())
      return refuse(tx, ctx, checked)
    }
    await touchUser(tx, user.id, ctx.now())
    const target = { type: 'user', id: user.id, name: user.username }
    await audit(tx, ctx, { action: 'login.ok', target, after: { client: clientOf(ctx), method: 'passkey' } })
    return beginSession(tx, ctx, user.id, earlierSecret)
  })
  if (secret === undefined)
    throw new Problem('bad-credentials', {
      detail:
        'This passkey was not accepted. It may have been removed. Try again, or sign in with your password.',
    })
  return secret
}

/** The user, whose namespace stays held, so that no session begins unseen by what disables them. */
async function admitted(tx: Tx, ctx: Ctx, checked: CheckedAssertion): Promise<User | undefined> {
  await lockNamespace(tx, checked.passkey.user_id)
  if (!(await useAssertion(tx, ctx, checked))) return undefined
  const user = await findUserById(tx, checked.passkey.user_id)
  return user && !user.disabled && isLocal(ctx, user.username) ? user : undefined
}

/** Notes a refusal in the log of the person whose passkey it was; a passkey that is not ours is no one's. */
async function refuse(tx: Tx, ctx: Ctx, checked: CheckedAssertion | undefined): Promise<undefined> {
  const user = checked && (await findUserById(tx, checked.passkey.user_id))
  const target = { type: 'user', id: user?.id ?? '', name: user?.username ?? '' }
  const after = { client: clientOf(ctx), method: 'passkey' }
  await audit(tx, ctx, { action: 'login.fail', target, after, outcome: 'refused' })
}
