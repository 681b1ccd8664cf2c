import { and, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { matching, type RepoFilters } from './list.ts'

export interface FacetValue {
  value: string
  count: number
}

const facetNames = ['task', 'library', 'licence'] as const
export type FacetName = (typeof facetNames)[number]

// indexing.md §5: the 50 most frequent.
const most = 50

const filterOf = { task: 'tasks', library: 'libraries', licence: 'licences' } as const

/** How many visible Repos there are by each value of a fact, with every filter applied but that on the fact itself. */
export async function countFacets(ctx: Ctx, filters: RepoFilters): Promise<Record<FacetName, FacetValue[]>> {
  const { repos } = ctx.db.t
  const count = (name: FacetName) =>
    countBy(
      ctx,
      sql`${repos[name]}`,
      and(matching(ctx, ctx.db, filters, { except: filterOf[name] }), isNotNull(repos[name])),
    )
  const [task, library, licence] = await Promise.all([count('task'), count('library'), count('licence')])
  return { task, library, licence }
}

async function countBy({ db: { q, t } }: Ctx, value: SQL, condition: SQL | undefined): Promise<FacetValue[]> {
  const { repos, namespaces } = t
  const count = sql<number>`count(*)`.mapWith(Number)
  return q
    .select({ value: sql<string>`${value}`, count })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(condition)
    .groupBy(value)
    .orderBy(desc(count), value)
    .limit(most)
}
