import { and, eq } from 'drizzle-orm'
import { roles, type Role } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { addOrg } from './create-org.ts'
import { isLastAdmin } from './last-admin.ts'
import { nameIsAllowed } from './names.ts'
import { findNamespace, hasOtherAdmin, lockNamespace, type NamespaceRow, type User } from './queries.ts'

/** What a provider's groups grant to one user. */
export interface ExternalRights {
  /** `oidc:{provider}`. Rights of another source, and those given by hand, stay as they are. */
  source: string
  /** Absent: the provider grants no admin right, and has none to take. */
  isAdmin?: boolean
  /** Organisation name → Role. */
  roles: ReadonlyMap<string, Role>
}

/**
 * Gives a user what the groups of one provider grant, and takes what they granted before and no longer do. The last admin
 * of the instance or of an organisation keeps the right, which is audited as refused. Missing organisations are made.
 */
export async function applyExternalRights(
  tx: Tx,
  ctx: Ctx,
  user: User,
  rights: ExternalRights,
): Promise<void> {
  await applyAdmin(tx, ctx, user, rights)
  const granted = new Set<string>()
  for (const [name, role] of [...rights.roles].toSorted()) {
    const org = await orgFor(tx, ctx, user, name, rights.source)
    if (!org) continue
    granted.add(org.id)
    await grant(tx, ctx, { org, user, role, source: rights.source })
  }
  const { members } = tx.t
  const held = await tx.q
    .select()
    .from(members)
    .where(and(eq(members.user_id, user.id), eq(members.source, rights.source)))
  for (const { org_id } of held)
    if (!granted.has(org_id)) await take(tx, ctx, { orgId: org_id, user, source: rights.source })
}

async function applyAdmin(tx: Tx, ctx: Ctx, user: User, { source, isAdmin }: ExternalRights): Promise<void> {
  const { users } = tx.t
  const set = async (admin: boolean) => {
    await tx.q
      .update(users)
      .set({ is_admin: admin, admin_source: admin ? source : null })
      .where(eq(users.id, user.id))
    await audit(tx, ctx, {
      action: 'user.admin.set',
      target: { type: 'user', id: user.id, name: user.username },
      before: { is_admin: user.is_admin },
      after: { is_admin: admin, source },
    })
  }
  if (isAdmin && !user.is_admin) return set(true)
  if (isAdmin || !user.is_admin || user.admin_source !== source) return
  if (!(await isLastAdmin(tx, user))) return set(false)
  await audit(tx, ctx, {
    action: 'user.admin.keep',
    target: { type: 'user', id: user.id, name: user.username },
    after: { source, reason: 'last-admin' },
    outcome: 'refused',
  })
}

/** The organisation of a mapping, made when it is missing; nothing where a user has the name or none may have it. */
async function orgFor(
  tx: Tx,
  ctx: Ctx,
  user: User,
  name: string,
  source: string,
): Promise<NamespaceRow | undefined> {
  const found = await findNamespace(tx, name)
  if (found?.kind === 'org') return found
  if (!found && nameIsAllowed(name)) return addOrg(tx, ctx, { ns: name })
  await audit(tx, ctx, {
    action: 'org.member.set',
    target: { type: 'user', id: user.id, name: user.username },
    after: { org: name, source, reason: found ? 'name-taken' : 'invalid-name' },
    outcome: 'refused',
  })
  return undefined
}

interface Grant {
  org: NamespaceRow
  user: User
  role: Role
  source: string
}

async function grant(tx: Tx, ctx: Ctx, { org, user, role, source }: Grant): Promise<void> {
  await lockNamespace(tx, org.id)
  const { members } = tx.t
  const isThis = and(eq(members.org_id, org.id), eq(members.user_id, user.id))
  const [before] = await tx.q.select().from(members).where(isThis)
  if (before && (before.source !== source || before.role === role)) return
  if (before?.role === 'admin' && !(await hasOtherAdmin(tx, org.id, user.id)))
    return keep(tx, ctx, org, { user, source })
  await tx.q
    .insert(members)
    .values({ org_id: org.id, user_id: user.id, role, source, joined_at: ctx.now() })
    .onConflictDoUpdate({ target: [members.org_id, members.user_id], set: { role } })
  await audit(tx, ctx, {
    action: 'org.member.set',
    target: { type: 'org', id: org.id, name: org.name },
    ...(before && { before: { username: user.username, role: before.role } }),
    after: { username: user.username, role, source },
  })
}

async function take(
  tx: Tx,
  ctx: Ctx,
  { orgId, user, source }: { orgId: string; user: User; source: string },
): Promise<void> {
  const org = await lockNamespace(tx, orgId)
  if (!org) return
  const { members } = tx.t
  const isThis = and(eq(members.org_id, orgId), eq(members.user_id, user.id), eq(members.source, source))
  const [before] = await tx.q.select().from(members).where(isThis)
  if (!before) return
  if (before.role === 'admin' && !(await hasOtherAdmin(tx, orgId, user.id)))
    return keep(tx, ctx, org, { user, source })
  await tx.q.delete(members).where(isThis)
  await audit(tx, ctx, {
    action: 'org.member.remove',
    target: { type: 'org', id: org.id, name: org.name },
    before: { username: user.username, role: before.role, source },
  })
}

function keep(
  tx: Tx,
  ctx: Ctx,
  org: NamespaceRow,
  { user, source }: { user: User; source: string },
): Promise<void> {
  return audit(tx, ctx, {
    action: 'org.member.keep',
    target: { type: 'org', id: org.id, name: org.name },
    after: { username: user.username, role: 'admin', source, reason: 'last-admin' },
    outcome: 'refused',
  })
}

const rank = (role: Role): number => roles.indexOf(role)

/** The higher of two roles. */
export const higherRole = (one: Role | undefined, other: Role): Role =>
  one !== undefined && rank(one) > rank(other) ? one : other
