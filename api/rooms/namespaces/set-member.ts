import { authoriseNamespace, authoriseProfile, policyOf } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Role } from '../../../shared/vocabulary.ts'
import {
  findMember,
  hasOtherAdmin,
  lockNamespace,
  type Member,
  type NamespaceRow,
  type User,
} from './queries.ts'
import { requireNamedUser, requireOrg } from './require.ts'

/**
 * Adds a user to an organisation or changes their role. Problems: `last-admin` when no other user would be left to
 * administer it, `state-conflict` for a role that an external group grants.
 */
export async function setMember(ctx: Ctx, ns: string, username: string, role: Role): Promise<Member> {
  authoriseProfile(ctx.actor, ns, policyOf(ctx.config))
  return ctx.db.write(async (tx) => {
    const org = await requireOrg(tx, ns)
    authoriseNamespace(ctx.actor, 'namespace.members.set', org)
    const user = await requireNamedUser(tx, username)
    await lockNamespace(tx, org.id)
    const before = await findMember(tx, org.id, username)
    if (before) await refuseMemberChange(tx, org, before, role)
    await store(tx, ctx, org, user, role)
    await audit(tx, ctx, {
      action: 'org.member.set',
      target: { type: 'org', id: org.id, name: org.name },
      ...(before && { before: { username: before.username, role: before.role } }),
      after: { username: user.username, role },
    })
    const member = await findMember(tx, org.id, username)
    if (!member) throw new Problem('not-found')
    return member
  })
}

/** Throws when the member's role may not become `role` (`null`: be taken away). The organisation must be locked. */
export async function refuseMemberChange(
  tx: Tx,
  org: NamespaceRow,
  member: Member,
  role: Role | null,
): Promise<void> {
  if (member.source !== 'manual')
    throw new Problem('state-conflict', { detail: 'An external group grants this role; change it there.' })
  const losesAdmin = member.role === 'admin' && role !== 'admin'
  if (losesAdmin && !(await hasOtherAdmin(tx, org.id, member.user_id)))
    throw new Problem('last-admin', { detail: `Make somebody else an admin of ${org.name} first.` })
}

/** Adds a user to an organisation as an invite says, within a transaction; their role there, if any, stays. */
export async function addMember(tx: Tx, ctx: Ctx, org: NamespaceRow, user: User, role: Role): Promise<void> {
  await lockNamespace(tx, org.id)
  if (await findMember(tx, org.id, user.username)) return
  await store(tx, ctx, org, user, role)
  await audit(tx, ctx, {
    action: 'org.member.set',
    target: { type: 'org', id: org.id, name: org.name },
    after: { username: user.username, role },
  })
}

async function store(
  { q, t: { members } }: Tx,
  ctx: Ctx,
  org: NamespaceRow,
  user: User,
  role: Role,
): Promise<void> {
  await q
    .insert(members)
    .values({ org_id: org.id, user_id: user.id, role, source: 'manual', joined_at: ctx.now() })
    .onConflictDoUpdate({ target: [members.org_id, members.user_id], set: { role } })
}
