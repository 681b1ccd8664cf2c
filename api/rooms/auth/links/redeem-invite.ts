import { anonymous } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { audit } from '../../../core/events/index.ts'
import { addMember, addUser, findNamespace, findUserByEmail, type User } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { freeName } from '../oidc/usernames.ts'
import type { LinkRow } from './queries.ts'

/** What the person brings to the account that an invite makes. */
export interface Newcomer {
  /** Counts where the invite names none; a provider's is made free. */
  username?: { chosen: string } | { claimed: string } | undefined
  passwordHash: string | null
  displayName?: string | undefined
}

/** The account, and what became of the invite's promises that could not be kept. */
export interface Redeemed {
  user: User
  notices: string[]
}

/**
 * Makes the account of a claimed invite, within the claim's transaction. Problems: `invalid-name`, `name-taken`,
 * `validation-failed` when no username is chosen.
 */
export async function redeemInvite(tx: Tx, ctx: Ctx, link: LinkRow, newcomer: Newcomer): Promise<Redeemed> {
  const invite = link.invite ?? {}
  const username = await nameFor(tx, invite.username, newcomer)
  const notices: string[] = []
  const isTaken = invite.email !== undefined && (await findUserByEmail(tx, invite.email)) !== undefined
  if (isTaken) notices.push(`${invite.email} belongs to another account by now, so yours has no address.`)
  const displayName = invite.display_name ?? newcomer.displayName
  const by = { ...ctx, actor: anonymous }
  const user = await addUser(tx, by, {
    username,
    passwordHash: newcomer.passwordHash,
    ...(displayName !== undefined && { displayName }),
    ...(invite.email !== undefined && !isTaken && { email: invite.email }),
    ...(invite.is_admin && { isAdmin: true }),
  })
  for (const { ns, role } of invite.orgs ?? []) {
    const org = await findNamespace(tx, ns)
    if (org?.kind === 'org') await addMember(tx, by, org, user, role)
    else notices.push(`The organisation ${ns} is gone.`)
  }
  const target = { type: 'user', id: user.id, name: user.username }
  await audit(tx, by, { action: 'link.invite.redeem', target, after: { link_id: link.id, notices } })
  return { user, notices }
}

async function nameFor(tx: Tx, given: string | undefined, { username }: Newcomer): Promise<string> {
  if (given !== undefined) return given
  if (username === undefined) {
    const message = 'choose a username'
    throw new Problem('validation-failed', { errors: [{ field: 'username', code: 'required', message }] })
  }
  return 'chosen' in username ? username.chosen : freeName(tx, username.claimed)
}
