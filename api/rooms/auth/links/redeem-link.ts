import type { Ctx } from '../../../core/ctx.ts'
import { UniqueViolation, type Tx } from '../../../stores/db/index.ts'
import { audit } from '../../../core/events/index.ts'
import { confirmEmail, findUserById, nameTaken, touchUser, type User } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { mayUsePassword } from '../local-login.ts'
import { checkPasswordPolicy, hashPassword } from '../passwords.ts'
import { removeGeneratedPassword } from '../generated-password.ts'
import { replacePassword } from '../reset-password.ts'
import { digestOf } from '../secrets.ts'
import { beginSession } from '../session.ts'
import { countFailure, ipKey, refuseLocked } from '../throttle.ts'
import { claimLink, findOpenLink, type LinkRow } from './queries.ts'
import { redeemInvite, type Redeemed } from './redeem-invite.ts'

/** What a link is for, and for whom. */
export interface DescribedLink {
  link: LinkRow
  user: User | undefined
}

const unusable = (): Problem =>
  new Problem('not-found', {
    detail:
      'This link is unknown, used or expired. A link works once, for 72 hours. Ask an admin for a new one.',
  })

/** Describes a link and changes nothing. Problem `not-found`; unknown links count toward the throttle. */
export async function getLink(ctx: Ctx, secret: string): Promise<DescribedLink> {
  const keys = [ipKey(ctx.origin.ip)]
  await refuseLocked(ctx, keys)
  const link = await findOpenLink(ctx.db, digestOf(secret), ctx.now())
  const user = link?.user_id ? await findUserById(ctx.db, link.user_id) : undefined
  if (link && isUsable(link, user)) return { link, user }
  await ctx.db.write((tx) => countFailure(tx, keys, ctx.now()))
  throw unusable()
}

/** An e-mail link works while its address is the one that is pending; no link works for a disabled user. */
function isUsable(link: LinkRow, user: User | undefined): boolean {
  if (link.kind === 'invite') return true
  if (!user || user.disabled) return false
  return link.kind === 'reset' || user.pending_email === link.email
}

/** What the person who opens a link says; each kind of link reads its own. */
export interface Redemption {
  username?: string | undefined
  password?: string | undefined
  revoke_tokens?: boolean | undefined
}

/** What has been done. `secret` is that of the session an invite begins. */
export interface RedeemedLink {
  kind: LinkRow['kind']
  username: string
  notices: string[]
  secret?: string
}

/**
 * Redeems a link once: of several at once one wins, and what fails leaves it unused. Problems: `not-found`,
 * `weak-password`, `validation-failed`, `name-taken`, `invalid-name`, `email-taken`, `forbidden` while
 * `security.local_login` is off.
 */
export async function redeemLink(ctx: Ctx, secret: string, given: Redemption): Promise<RedeemedLink> {
  const described = await getLink(ctx, secret)
  const hash = await hashFor(ctx, described, given)
  try {
    const redeemed = await ctx.db.write(async (tx) => {
      const link = await claimLink(tx, digestOf(secret), ctx.now())
      if (!link) throw unusable()
      if (link.kind === 'invite') return makeAccount(tx, ctx, link, given, hash)
      return changeAccount(tx, ctx, link, given, hash)
    })
    if (redeemed.kind === 'reset') await removeGeneratedPassword(ctx, redeemed.username)
    return redeemed
  } catch (error) {
    throw error instanceof UniqueViolation ? nameTaken('username') : error
  }
}

async function hashFor(ctx: Ctx, { link, user }: DescribedLink, { username, password }: Redemption) {
  if (link.kind === 'email') return ''
  const name = user?.username ?? link.invite?.username ?? username ?? ''
  mayUsePassword(ctx, name)
  if (password === undefined) {
    const errors = [{ field: 'password', code: 'required', message: 'choose a password' }]
    throw new Problem('validation-failed', { errors })
  }
  await checkPasswordPolicy(ctx.db, { field: 'password', password, username: name })
  return hashPassword(password)
}

async function makeAccount(
  tx: Tx,
  ctx: Ctx,
  link: LinkRow,
  { username }: Redemption,
  passwordHash: string,
): Promise<RedeemedLink> {
  const newcomer = { passwordHash, ...(username !== undefined && { username: { chosen: username } }) }
  const { user, notices }: Redeemed = await redeemInvite(tx, ctx, link, newcomer)
  await touchUser(tx, user.id, ctx.now())
  const secret = await beginSession(tx, ctx, user.id)
  return { kind: 'invite', username: user.username, notices, secret }
}

async function changeAccount(
  tx: Tx,
  ctx: Ctx,
  link: LinkRow,
  { revoke_tokens }: Redemption,
  hash: string,
): Promise<RedeemedLink> {
  const user = link.user_id ? await findUserById(tx, link.user_id) : undefined
  if (!user || !isUsable(link, user)) throw unusable()
  if (link.kind === 'reset') await replacePassword(tx, ctx, user, hash, revoke_tokens ?? false)
  else if (!(await confirmEmail(tx, ctx, user.id, link.email ?? ''))) throw unusable()
  const target = { type: 'user', id: user.id, name: user.username }
  await audit(tx, ctx, { action: `link.${link.kind}.redeem`, target, after: { link_id: link.id } })
  return { kind: link.kind, username: user.username, notices: [] }
}
