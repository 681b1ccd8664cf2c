import { eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { audit } from '../../../core/events/index.ts'
import {
  addUser,
  applyExternalRights,
  findUserByEmail,
  findUserById,
  higherRole,
  lockNamespace,
  touchUser,
  type ExternalRights,
  type User,
} from '../../namespaces/index.ts'
import type { Role } from '../../../../shared/vocabulary.ts'
import { claimLink } from '../links/queries.ts'
import { redeemInvite } from '../links/redeem-invite.ts'
import { digestOf } from '../secrets.ts'
import { clientOf } from '../client-of.ts'
import { beginSession } from '../session.ts'
import type { Person } from './claims.ts'
import type { Flow } from './flow.ts'
import { sourceOf, type Provider } from './provider.ts'
import { findIdentity, finishOnce, identitiesOf, type IdentityRow } from './queries.ts'
import { Refused } from './refused.ts'
import { displayNameOf, freeName } from './usernames.ts'

/** A sign-in whose person is known by now. */
export interface Arrival {
  provider: Provider
  person: Person
  flow: Flow
}

/**
 * Signs a person in, in one transaction: finds, makes or connects the account, applies what their groups grant, begins a
 * session and answers its secret. Throws {@link Refused}, and then nothing has changed.
 */
export async function signIn(tx: Tx, ctx: Ctx, arrival: Arrival, earlierSecret?: string): Promise<string> {
  const { provider, person, flow } = arrival
  if (!(await finishOnce(tx, digestOf(flow.state), new Date(flow.expiresAt))))
    throw new Refused('already-finished')
  const { user, identity } = await accountFor(tx, ctx, arrival)
  await applyExternalRights(tx, ctx, user, rightsOf(provider, person))
  const now = ctx.now()
  const { identities } = tx.t
  await tx.q
    .update(identities)
    .set({ last_used_at: now, name: nameOf(person) })
    .where(eq(identities.id, identity.id))
  await touchUser(tx, user.id, now)
  const target = { type: 'user', id: user.id, name: user.username }
  await audit(tx, ctx, {
    action: 'login.ok',
    target,
    after: { provider: provider.id, client: clientOf(ctx) },
  })
  return beginSession(tx, ctx, user.id, earlierSecret, { identityId: identity.id, sid: person.sid })
}

interface Account {
  user: User
  identity: IdentityRow
}

async function accountFor(tx: Tx, ctx: Ctx, arrival: Arrival): Promise<Account> {
  const { provider, person, flow } = arrival
  const identity = await findIdentity(tx, provider.id, person.subject)
  if (flow.connect) return connected(tx, ctx, arrival, flow.connect.userId, identity)
  if (identity) return { user: await enabledUser(tx, identity.user_id), identity }
  const user = await newUser(tx, ctx, arrival)
  return { user, identity: await addIdentity(tx, ctx, user, arrival) }
}

/** The user, whose namespace stays held, so that no session begins unseen by what disables them. */
async function enabledUser(tx: Tx, id: string): Promise<User> {
  await lockNamespace(tx, id)
  const user = await findUserById(tx, id)
  if (!user) throw new Refused('account-disabled')
  if (user.disabled) throw new Refused('account-disabled', { user })
  return user
}

async function connected(
  tx: Tx,
  ctx: Ctx,
  arrival: Arrival,
  userId: string,
  identity: IdentityRow | undefined,
): Promise<Account> {
  const user = await enabledUser(tx, userId)
  if (identity?.user_id === userId) return { user, identity }
  if (identity) throw new Refused('identity-taken', { user })
  const own = await identitiesOf(tx, userId)
  if (own.some(({ provider }) => provider === arrival.provider.id))
    throw new Refused('already-connected', { user })
  return { user, identity: await addIdentity(tx, ctx, user, arrival) }
}

/** Makes an account for a new person: by their invite, or because the provider creates users. */
async function newUser(tx: Tx, ctx: Ctx, { provider, person, flow }: Arrival): Promise<User> {
  const claimed = person.username ?? person.email ?? 'user'
  const displayName = displayNameOf(person.displayName)
  if (flow.invite !== undefined) {
    const link = await claimLink(tx, digestOf(flow.invite), ctx.now())
    if (link?.kind !== 'invite') throw new Refused('invite-unusable')
    return (await redeemInvite(tx, ctx, link, { username: { claimed }, passwordHash: null, displayName }))
      .user
  }
  if (!provider.auto_create_users)
    throw new Refused('no-account', { claimant: { username: claimed, subject: person.subject } })
  const { email, isEmailVerified } = person
  const isOurs = email !== undefined && isEmailVerified && !(await findUserByEmail(tx, email))
  return addUser(tx, ctx, {
    username: await freeName(tx, claimed),
    passwordHash: null,
    ...(displayName !== undefined && { displayName }),
    ...(isOurs && { email }),
  })
}

const nameOf = ({ username, email, subject }: Person): string => (username ?? email ?? subject).slice(0, 200)

async function addIdentity(
  tx: Tx,
  ctx: Ctx,
  user: User,
  { provider, person }: Arrival,
): Promise<IdentityRow> {
  const now = ctx.now()
  const row: IdentityRow = {
    id: newId(),
    user_id: user.id,
    provider: provider.id,
    subject: person.subject,
    name: nameOf(person),
    created_at: now,
    last_used_at: now,
  }
  await tx.q.insert(tx.t.identities).values(row)
  await audit(tx, ctx, {
    action: 'identity.connect',
    target: { type: 'user', id: user.id, name: user.username },
    after: { provider: provider.id, subject: person.subject },
  })
  return row
}

/** What the configuration grants to the person's groups: of several roles in one organisation, the highest. */
function rightsOf(provider: Provider, { groups }: Person): ExternalRights {
  const roles = new Map<string, { org: string; role: Role }>()
  for (const { group, org, role } of provider.org_mappings) {
    if (!groups.has(group)) continue
    const key = org.toLowerCase()
    const known = roles.get(key)
    roles.set(key, { org: known?.org ?? org, role: higherRole(known?.role, role as Role) })
  }
  return {
    source: sourceOf(provider),
    isAdmin: provider.admin_groups.some((group) => groups.has(group)),
    roles: new Map([...roles.values()].map(({ org, role }) => [org, role])),
  }
}
