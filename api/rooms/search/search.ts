import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import type { RepoType } from '../../../shared/vocabulary.ts'
import { policyOf, visibleCollections, visibleNamespaces, visibleRepos } from '../../core/access/index.ts'
import { slugOf } from '../collections/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { beginning, containing, requireReader } from '../repos/index.ts'

export const searchTypes = ['repos', 'namespaces', 'collections'] as const
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

export interface FoundCollection {
  ns: string
  slug: string
  title: string
  description: string | null
}

export interface SearchResults {
  repos: FoundRepo[]
  namespaces: FoundNamespace[]
  collections: FoundCollection[]
}

/**
 * Repos, namespaces and collections whose name or description contains `q`, in any case, of those the caller may see:
 * names that begin with it first, then names that contain it, then descriptions. At most `limit` of each;
 * repos of one `type` where it is given.
 */
export async function search(
  ctx: Ctx,
  q: string,
  types: readonly SearchType[],
  { type, limit }: { type?: RepoType | undefined; limit: number },
): Promise<SearchResults> {
  requireReader(ctx)
  const [repos, namespaces, collections] = await Promise.all([
    types.includes('repos') ? searchRepos(ctx, q, { type, limit }) : [],
    types.includes('namespaces') ? searchNamespaces(ctx, q, limit) : [],
    types.includes('collections') ? searchCollections(ctx, q, limit) : [],
  ])
  return { repos, namespaces, collections }
}

async function searchRepos(
  { db, actor, config }: Ctx,
  word: string,
  { type, limit }: { type: RepoType | undefined; limit: number },
): Promise<FoundRepo[]> {
  const { repos, namespaces } = db.t
  const name = sql`${repos.name_key}`
  const full = sql`${namespaces.name_key} || '/' || ${repos.name_key}`
  const rank = sql`case when ${beginning(name, word)} or ${beginning(full, word)} then 0 when ${containing(full, word)} then 1 else 2 end`
  const text = sql`lower(coalesce(${repos.description}, ''))`
  return db.q
    .select({ type: repos.type, ns: namespaces.name, name: repos.name, description: repos.description })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(
      and(
        visibleRepos(actor, db, policyOf(config)),
        type && eq(repos.type, type),
        or(containing(full, word), containing(text, word)),
      ),
    )
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

async function searchCollections(
  { db, actor, config }: Ctx,
  word: string,
  limit: number,
): Promise<FoundCollection[]> {
  const { collections: c, namespaces } = db.t
  const title = sql`lower(${c.title})`
  const text = sql`lower(coalesce(${c.description}, ''))`
  const rank = sql`case when ${beginning(title, word)} then 0 when ${containing(title, word)} then 1 else 2 end`
  const isVisible = visibleCollections(actor, db.t, policyOf(config))
  const rows = await db.q
    .select({ id: c.id, ns: namespaces.name, title: c.title, description: c.description })
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
    .where(and(isVisible, or(containing(title, word), containing(text, word))))
    .orderBy(asc(rank), asc(title), asc(c.id))
    .limit(limit)
  return rows.map(({ id, ...row }) => ({ ...row, slug: slugOf({ id, title: row.title }) }))
}
