import { actorId, requireFresh, requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { audit } from '../../../core/events/index.ts'
import {
  findUserByEmail,
  emailTaken,
  findUserById,
  lockNamespace,
  type User,
} from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { mayUsePassword } from '../local-login.ts'
import { digestOf, newSecret } from '../secrets.ts'
import { endLinks, type LinkRow } from './queries.ts'
import type { Invite } from './tables.ts'

const lifeMs = 72 * 3_600_000

/** A link and its secret, which is shown this once. */
export interface MadeLink {
  link: LinkRow
  secret: string
}

/** The address of a link, for an admin to pass on. */
export const linkUrl = ({ config }: Pick<Ctx, 'config'>, secret: string): string =>
  new URL(`/links/${secret}`, config.server.public_url).href

async function addLink(
  tx: Tx,
  ctx: Ctx,
  { user, ...more }: Pick<LinkRow, 'kind' | 'email' | 'invite'> & { user: User | null },
): Promise<MadeLink> {
  const secret = newSecret()
  const now = ctx.now()
  const link: LinkRow = {
    ...more,
    id: newId(),
    digest: digestOf(secret),
    user_id: user?.id ?? null,
    created_by: actorId(ctx.actor),
    created_at: now,
    expires_at: new Date(now.getTime() + lifeMs),
    used_at: null,
  }
  await tx.q.insert(tx.t.links).values(link)
  await audit(tx, ctx, {
    action: `link.${link.kind}.create`,
    target: user
      ? { type: 'user', id: user.id, name: user.username }
      : { type: 'link', id: link.id, name: link.invite?.username ?? link.invite?.email ?? '' },
    after: { link_id: link.id, ...(link.email && { email: link.email }), ...link.invite },
  })
  return { link, secret }
}

/** The user, whose namespace is held until the transaction ends. Problem `not-found`. */
async function requireUserById(tx: Tx, id: string): Promise<User> {
  await lockNamespace(tx, id)
  const user = await findUserById(tx, id)
  if (!user) throw new Problem('not-found', { detail: 'There is no such user.' })
  return user
}

/**
 * Makes the link that confirms the pending address `email` of a user; an earlier one ends. Problems: `no-pending-email`,
 * `pending-email-changed` when another address is pending than the caller saw, `email-taken`, `not-found`.
 */
export async function makeEmailLink(ctx: Ctx, userId: string, email: string): Promise<MadeLink> {
  requireInstanceAdmin(ctx.actor)
  return ctx.db.write(async (tx) => {
    const user = await requireUserById(tx, userId)
    if (user.pending_email === null) throw new Problem('no-pending-email')
    if (user.pending_email !== email) throw new Problem('pending-email-changed')
    if (await findUserByEmail(tx, email)) throw emailTaken()
    await endLinks(tx, userId, 'email')
    return addLink(tx, ctx, { kind: 'email', user, email, invite: null })
  })
}

/**
 * Makes the link by which a user sets a new password, which needs a fresh sign-in; an earlier one ends. Problems:
 * `not-found`, `fresh-sign-in-required`, `state-conflict` for a disabled user, `forbidden` where the user may not sign in with a password.
 */
export async function makeResetLink(ctx: Ctx, userId: string): Promise<MadeLink> {
  requireInstanceAdmin(ctx.actor)
  requireFresh(ctx.actor, ctx.now())
  return ctx.db.write(async (tx) => addResetLink(tx, ctx, await requireUserById(tx, userId)))
}

/** The same within a transaction. The caller has been authorised. */
export async function addResetLink(tx: Tx, ctx: Ctx, user: User): Promise<MadeLink> {
  if (user.disabled) throw new Problem('state-conflict', { detail: `Enable ${user.username} first.` })
  mayUsePassword(ctx, user.username)
  await endLinks(tx, user.id, 'reset')
  return addLink(tx, ctx, { kind: 'reset', user, email: null, invite: null })
}

/** Makes the link by which a person gets an account. */
export async function makeInvite(ctx: Ctx, invite: Invite): Promise<MadeLink> {
  requireInstanceAdmin(ctx.actor)
  return ctx.db.write((tx) => addLink(tx, ctx, { kind: 'invite', user: null, email: null, invite }))
}
