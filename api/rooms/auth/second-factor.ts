import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { findUserById, lockNamespace, touchUser, type User } from '../namespaces/index.ts'
import { clientOf } from './client-of.ts'
import { rememberNetwork } from './known-networks.ts'
import {
  assertionOptions,
  checkAssertion,
  useAssertion,
  type Assertion,
  type AssertionOptions,
} from './passkeys/assertion.ts'
import { answerOnce, newChallenge, openChallenge } from './passkeys/challenge.ts'
import { recoveryCodesLeft } from './passkeys/queries.ts'
import { useRecoveryCode } from './passkeys/recovery-codes.ts'
import { relyingParty } from './passkeys/relying-party.ts'
import { beginSession } from './session.ts'
import { countFailure, factorKey, forgetKey, ipKey, refuseLocked, refuseLockedNow } from './throttle.ts'

/** What a right password still lacks. */
export interface FactorAsked {
  /** Proves within five minutes that the password was right. */
  ticket: string
  /** For the browser; nothing where passkeys cannot be used at the address of this server. */
  passkey: AssertionOptions | undefined
  recoveryCodesLeft: number
}

/** Asks for the second factor of a user whose password was right. */
export async function askFactor(ctx: Ctx, user: User): Promise<FactorAsked> {
  const passwordTag = tagOf(ctx, user)
  const ticket = newChallenge(ctx, { purpose: 'second-factor', userId: user.id, passwordTag })
  const isPossible = !('reason' in relyingParty(ctx.config))
  return {
    ticket,
    passkey: isPossible ? await assertionOptions(ctx, ticket, user.id) : undefined,
    recoveryCodesLeft: await recoveryCodesLeft(ctx.db, user.id),
  }
}

const tagOf = ({ secrets }: Ctx, { id, password_hash }: User): string =>
  secrets.tagOf('second factor', `${id} ${password_hash}`)

/** A second factor: what a passkey has signed, or a recovery code. */
export interface GivenFactor {
  ticket: string
  passkey?: Assertion | undefined
  recovery_code?: string | undefined
}

/**
 * Ends a sign-in that lacked a second factor: answers the secret of a fresh session. Problems: `bad-credentials` for a wrong
 * factor, or a ticket that has expired, was used or whose password was replaced; `throttled` after ten wrong ones.
 */
export async function finishLogin(ctx: Ctx, given: GivenFactor, earlierSecret?: string): Promise<string> {
  const asked = openChallenge(ctx, 'second-factor', given.ticket)
  const { userId } = asked ?? {}
  if (!asked || userId === undefined) throw startAgain()
  // Counted by the user: only one who knows the password comes this far.
  const keys = [factorKey(userId), ipKey(ctx.origin.ip)]
  await refuseLocked(ctx, keys)
  const checked = given.passkey && (await checkAssertion(ctx, 'second-factor', given.passkey))
  const isSameTicket = checked?.sealed === given.ticket
  const method = given.passkey ? 'password and passkey' : 'password and recovery code'
  const ended = await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    await lockNamespace(tx, userId)
    const user = await findUserById(tx, userId)
    if (!user || user.disabled || tagOf(ctx, user) !== asked.passwordTag) return 'expired'
    const isRight = given.passkey
      ? checked && isSameTicket && (await useAssertion(tx, ctx, checked))
      : (await useRecoveryCode(tx, ctx, user, given.recovery_code ?? '')) &&
        (await answerOnce(tx, given.ticket, asked.expiresAt))
    const target = { type: 'user', id: user.id, name: user.username }
    const after = { client: clientOf(ctx), method }
    if (!isRight) {
      await countFailure(tx, keys, ctx.now())
      await audit(tx, ctx, { action: 'login.fail', target, after, outcome: 'refused' })
      return 'wrong'
    }
    await forgetKey(tx, factorKey(userId))
    await rememberNetwork(tx, user.id, ctx.origin.ip, ctx.now())
    await touchUser(tx, user.id, ctx.now())
    await audit(tx, ctx, { action: 'login.ok', target, after })
    return { secret: await beginSession(tx, ctx, user.id, earlierSecret) }
  })
  if (ended === 'expired') throw startAgain()
  if (ended === 'wrong') throw wrongFactor(given)
  return ended.secret
}

const startAgain = (): Problem =>
  new Problem('bad-credentials', { detail: 'This sign-in has expired. Enter your password again.' })

function wrongFactor({ passkey }: GivenFactor): Problem {
  if (passkey)
    return new Problem('bad-credentials', {
      detail: 'This passkey was not accepted. Enter your password again, or use a recovery code.',
    })
  const message = 'unknown or used. Each code works once'
  return new Problem('bad-credentials', {
    detail: 'This recovery code is unknown or used. Each code works once.',
    errors: [{ field: 'recovery_code', code: 'unknown', message }],
  })
}
