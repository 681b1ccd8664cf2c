import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import {
  findUser,
  findUserByEmail,
  findUserById,
  lockNamespace,
  renewPasswordHash,
  touchUser,
  type User,
} from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { passwordKeys, rememberNetwork } from './known-networks.ts'
import { clientOf } from './client-of.ts'
import { mayUsePassword } from './local-login.ts'
import { hasPasskey } from './passkeys/queries.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { askFactor, type FactorAsked } from './second-factor.ts'
import { beginSession } from './session.ts'
import { countFailure, forgetFailures, refuseLocked, refuseLockedNow } from './throttle.ts'

/** A username or confirmed email address, and the password. */
export interface Credentials {
  username: string
  password: string
}

/**
 * Signs in with a password: answers the secret of a fresh session, which replaces that of `earlierSecret`, or what is asked
 * of a user who has a passkey. Whatever is wrong is Problem `bad-credentials`; where too many attempts have failed, even the
 * right password is `throttled`.
 */
export async function login(
  ctx: Ctx,
  { username, password }: Credentials,
  earlierSecret?: string,
): Promise<string | FactorAsked> {
  const user = await (username.includes('@') ? findUserByEmail : findUser)(ctx.db, username)
  const name = user?.username ?? username
  mayUsePassword(ctx, name)
  const { ip } = ctx.origin
  const keys = await passwordKeys(ctx, { name, userId: user?.id, ip })
  await refuseLocked(ctx, keys)
  const isRight = await verifyPassword(user?.password_hash, password)
  const newHash = isRight && isOutdated(user?.password_hash ?? '') ? await hashPassword(password) : undefined
  const begun = await ctx.db.write(async (tx) => {
    await refuseLockedNow(tx, keys, ctx.now())
    const present = isRight && user ? await stillValid(tx, user) : undefined
    if (!present) return refuse(tx, ctx, name, user, keys)
    await forgetFailures(tx, name, keys)
    if (newHash) await renewPasswordHash(tx, present.id, newHash)
    if (await hasPasskey(tx, present.id))
      return { ...present, password_hash: newHash ?? present.password_hash }
    await rememberNetwork(tx, present.id, ip, ctx.now())
    await touchUser(tx, present.id, ctx.now())
    const target = { type: 'user', id: present.id, name }
    await audit(tx, ctx, { action: 'login.ok', target, after: { client: clientOf(ctx) } })
    return beginSession(tx, ctx, present.id, earlierSecret)
  })
  if (!begun) throw new Problem('bad-credentials', { detail: 'The username or the password is wrong.' })
  return typeof begun === 'string' ? begun : askFactor(ctx, begun)
}

/**
 * The user as of now, unless they were disabled or their password replaced since it was checked. Their namespace stays
 * held, so that no session begins unseen by what ends them all.
 */
async function stillValid(tx: Tx, checked: User): Promise<User | undefined> {
  await lockNamespace(tx, checked.id)
  const user = await findUserById(tx, checked.id)
  return user && !user.disabled && user.password_hash === checked.password_hash ? user : undefined
}

async function refuse(
  tx: Tx,
  ctx: Ctx,
  name: string,
  user: User | undefined,
  keys: string[],
): Promise<undefined> {
  await countFailure(tx, keys, ctx.now())
  const target = { type: 'user', id: user?.id ?? '', name }
  await audit(tx, ctx, { action: 'login.fail', target, after: { client: clientOf(ctx) }, outcome: 'refused' })
}
