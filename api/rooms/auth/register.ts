import type { Ctx } from '../../core/ctx.ts'
import { UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { addUser, nameTaken, touchUser } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { redeemLink } from './links/redeem-link.ts'
import { mayUsePassword } from './local-login.ts'
import { checkPasswordPolicy, hashPassword } from './passwords.ts'
import { beginSession } from './session.ts'
import { accountsKey, countFailure, refuseLocked, refuseLockedNow } from './throttle.ts'

/** An account that a person makes for themselves. */
export interface Registration {
  username: string
  password: string
  /** Waits for confirmation. */
  email?: string | undefined
  /** The secret of an invite, which then says what the account gets. */
  invite?: string | undefined
}

/**
 * Makes an account as `security.registration` allows and answers the secret of its first session. Problems:
 * `registration-closed`, `forbidden` while `security.local_login` is off, `throttled` after five accounts from one
 * network, `not-found` for an invite that is not usable, `name-taken`, `email-taken`, `invalid-name`, `weak-password`.
 */
export async function register(
  ctx: Ctx,
  { username, password, email, invite }: Registration,
): Promise<string> {
  const { registration } = ctx.config.security
  if (registration === 'closed') throw new Problem('registration-closed')
  mayUsePassword(ctx, username)
  if (invite !== undefined) return (await redeemLink(ctx, invite, { username, password })).secret ?? ''
  if (registration === 'invite')
    throw new Problem('registration-closed', {
      detail: 'An account needs an invite here. Ask an admin of this server for one.',
    })
  const keys = [accountsKey(ctx.origin.ip)]
  await refuseLocked(ctx, keys)
  await checkPasswordPolicy(ctx.db, { field: 'password', password, username })
  const user = { username, passwordHash: await hashPassword(password), ...(email && { pendingEmail: email }) }
  const add = async (tx: Tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    const { id } = await addUser(tx, ctx, user)
    await countFailure(tx, keys, ctx.now())
    await touchUser(tx, id, ctx.now())
    return beginSession(tx, ctx, id)
  }
  try {
    return await ctx.db.write(add)
  } catch (error) {
    throw error instanceof UniqueViolation ? nameTaken('username') : error
  }
}
