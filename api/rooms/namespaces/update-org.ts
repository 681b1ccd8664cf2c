import { eq } from 'drizzle-orm'
import { authoriseNamespace, authoriseProfile, policyOf } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { NewOrg } from './create-org.ts'
import type { NamespaceRow } from './queries.ts'
import { requireOrg } from './require.ts'

/** Changes an organisation's profile and defaults; `''` removes a bio or website, a field left out stays. */
export async function updateOrg(ctx: Ctx, name: string, change: Omit<NewOrg, 'ns'>): Promise<NamespaceRow> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  return ctx.db.write(async (tx) => {
    const org = await requireOrg(tx, name)
    authoriseNamespace(ctx.actor, 'namespace.edit', org)
    const { namespaces } = tx.t
    const values = {
      display_name: change.display_name ?? org.display_name,
      bio: change.bio === undefined ? org.bio : change.bio || null,
      website: change.website === undefined ? org.website : change.website || null,
      default_visibility: change.default_visibility ?? org.default_visibility,
    }
    const [row] = await tx.q.update(namespaces).set(values).where(eq(namespaces.id, org.id)).returning()
    if (!row) throw new Problem('not-found')
    const { display_name, bio, website, default_visibility } = org
    await audit(tx, ctx, {
      action: 'org.update',
      target: { type: 'org', id: org.id, name: org.name },
      before: { display_name, bio, website, default_visibility },
      after: values,
    })
    return row
  })
}
