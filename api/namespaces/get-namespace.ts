import { authoriseProfile, namespaceRole, policyOf } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import type { Role } from '../../shared/vocabulary.ts'
import { countsOf, type NamespaceRow } from './queries.ts'
import { requireNamespace } from './require.ts'

/** A Namespace as the caller may see it. */
export interface Profile {
  row: NamespaceRow
  counts: Awaited<ReturnType<typeof countsOf>>
  role: Role | null
}

/** The user or Organisation called `name`. Problems: `unauthenticated`, `not-found`. */
export async function getNamespace(ctx: Ctx, name: string): Promise<Profile> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  return profileOf(ctx, await requireNamespace(ctx.db, name))
}

/** What the caller may see of a Namespace: only Repos visible to them are counted. */
export async function profileOf({ db, actor, config }: Ctx, row: NamespaceRow): Promise<Profile> {
  return { row, counts: await countsOf(db, actor, policyOf(config), row), role: namespaceRole(actor, row) }
}
