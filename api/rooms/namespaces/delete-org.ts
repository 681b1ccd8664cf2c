import { eq } from 'drizzle-orm'
import { authoriseNamespace, authoriseProfile, policyOf, requireFresh } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { dropAvatar } from './avatars/change.ts'
import { dropFollows } from './follows/follow.ts'
import { dropReadme } from './readme/readme.ts'
import { holdingsOf, lockNamespace } from './queries.ts'
import { requireOrg } from './require.ts'

/**
 * Deletes an organisation that owns no repo and no collection, its members with it; the name is free again. Soft-deleted
 * repos count until they are purged. A session needs a fresh sign-in. Problems: `org-not-empty`,
 * `fresh-sign-in-required`.
 */
export async function deleteOrg(ctx: Ctx, name: string): Promise<void> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  await ctx.db.write(async (tx) => {
    const org = await requireOrg(tx, name)
    authoriseNamespace(ctx.actor, 'namespace.edit', org)
    requireFresh(ctx.actor, ctx.now())
    await lockNamespace(tx, org.id)
    const held = await holdingsOf(tx, org.id)
    if (held.repos > 0)
      throw new Problem('org-not-empty', {
        detail: 'Delete or transfer its repos first; deleted ones count until they are purged.',
      })
    if (held.collections > 0) throw new Problem('org-not-empty', { detail: 'Delete its collections first.' })
    await dropAvatar(tx, ctx, org.id)
    await dropReadme(tx, org.id)
    await dropFollows(tx, org.id)
    const { members, namespaces } = tx.t
    await tx.q.delete(members).where(eq(members.org_id, org.id))
    await tx.q.delete(namespaces).where(eq(namespaces.id, org.id))
    await audit(tx, ctx, { action: 'org.delete', target: { type: 'org', id: org.id, name: org.name } })
  })
}
