import { and, eq } from 'drizzle-orm'
import { authoriseNamespace, authoriseProfile, policyOf, requireAccount } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { findMember, lockNamespace, type NamespaceRow } from './queries.ts'
import { requireOrg } from './require.ts'
import { refuseMemberChange } from './set-member.ts'

/**
 * Takes a user out of an organisation; everybody may leave by themselves. Problems: `last-admin`, `state-conflict`,
 * `not-found` for one who is no member.
 */
export async function removeMember(ctx: Ctx, ns: string, username: string): Promise<void> {
  authoriseProfile(ctx.actor, ns, policyOf(ctx.config))
  await ctx.db.write(async (tx) => {
    const org = await requireOrg(tx, ns)
    authorise(ctx, org, username)
    await lockNamespace(tx, org.id)
    const member = await findMember(tx, org.id, username)
    if (!member) throw new Problem('not-found', { detail: `${username} is no member of ${org.name}.` })
    await refuseMemberChange(tx, org, member, null)
    const { members } = tx.t
    await tx.q.delete(members).where(and(eq(members.org_id, org.id), eq(members.user_id, member.user_id)))
    await audit(tx, ctx, {
      action: 'org.member.remove',
      target: { type: 'org', id: org.id, name: org.name },
      before: { username: member.username, role: member.role },
    })
  })
}

function authorise({ actor }: Ctx, org: NamespaceRow, username: string): void {
  const isSelf = actor.kind === 'user' && actor.username.toLowerCase() === username.toLowerCase()
  if (isSelf) requireAccount(actor, 'write')
  else authoriseNamespace(actor, 'namespace.members.set', org)
}
