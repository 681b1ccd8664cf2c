import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import type { RepoType } from '../../shared/vocabulary.ts'
import { policyOf, requireScope, requireUser, visibleNamespaces, visibleRepos } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { beginning, containing } from '../repos/index.ts'

export const searchTypes = ['repos', 'namespaces'] as const
export type SearchType = (typeof searchTypes)[number]

export interface FoundRepo {
  type: RepoType
  ns: string
  name: string
  description: string | null
}

export interface FoundNamespace {
  ns: string
  kind: 'user' | 'org'
  display_name: string
}

export interface SearchResults {
  repos: FoundRepo[]
  namespaces: FoundNamespace[]
}

/**
 * Repos and Namespaces whose name or description contains `q`, in any case, of those the caller may see: names that
 * begin with it first, then names that contain it, then descriptions. At most `limit` of each type.
 */
export async function search(
  ctx: Ctx,
  q: string,
  types: readonly SearchType[],
  limit: number,
): Promise<SearchResults> {
  const { actor, config } = ctx
  if (actor.kind === 'user') requireScope(actor, 'read')
  else if (actor.kind === 'anonymous' && !config.security.anonymous_read) requireUser(actor)
  const [repos, namespaces] = await Promise.all([
    types.includes('repos') ? searchRepos(ctx, q, limit) : [],
    types.includes('namespaces') ? searchNamespaces(ctx, q, limit) : [],
  ])
  return { repos, namespaces }
}

async function searchRepos({ db, actor, config }: Ctx, word: string, limit: number): Promise<FoundRepo[]> {
  const { repos, namespaces } = db.t
  const name = sql`${repos.name_key}`
  const full = sql`${namespaces.name_key} || '/' || ${repos.name_key}`
  const rank = sql`case when ${beginning(name, word)} or ${beginning(full, word)} then 0 when ${containing(full, word)} then 1 else 2 end`
  const text = sql`lower(coalesce(${repos.description}, ''))`
  return db.q
    .select({ type: repos.type, ns: namespaces.name, name: repos.name, description: repos.description })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(visibleRepos(actor, db, policyOf(config)), or(containing(full, word), containing(text, word))))
    .orderBy(asc(rank), desc(repos.likes), asc(full), asc(repos.type))
    .limit(limit)
}

async function searchNamespaces(
  { db, actor, config }: Ctx,
  word: string,
  limit: number,
): Promise<FoundNamespace[]> {
  const { namespaces } = db.t
  const name = sql`${namespaces.name_key}`
  const shown = sql`lower(${namespaces.display_name})`
  const rank = sql`case when ${beginning(name, word)} then 0 when ${containing(name, word)} then 1 else 2 end`
  return db.q
    .select({ ns: namespaces.name, kind: namespaces.kind, display_name: namespaces.display_name })
    .from(namespaces)
    .where(
      and(
        visibleNamespaces(actor, db.t, policyOf(config)),
        or(containing(name, word), containing(shown, word)),
      ),
    )
    .orderBy(asc(rank), asc(name))
    .limit(limit)
}
