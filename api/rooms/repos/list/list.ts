import { and, eq, inArray } from 'drizzle-orm'
import {
  actorId,
  policyOf,
  requireScope,
  requireUser,
  visibleRepos,
  visibleRows,
} from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Page } from '../../../stores/db/index.ts'
import { repoRows, toRepo, type Repo } from '../queries.ts'
import { catalogueOf, type Entry } from './catalogue.ts'
import { testOf, type RepoFilters } from './filters.ts'
import { positionOf, type ListSort, type RepoPosition } from './order.ts'
import { select, type Facets, type Selection } from './select.ts'

export interface RepoPage {
  sort: ListSort
  /** Names ascend and all else descends unless this says otherwise. */
  ascending?: boolean | undefined
  after?: RepoPosition | undefined
  limit: number
}

/** A page of repos, and what there is beyond it. */
export interface RepoList extends Page<Repo, RepoPosition> {
  total: number
  facets: Facets
}

/**
 * A page of the repos that the caller may see, with how many there are and the counts of facets.
 * Problems: `unauthenticated` where nothing is public, `insufficient-scope`.
 */
export async function listRepos(ctx: Ctx, filters: RepoFilters, page: RepoPage): Promise<RepoList> {
  const { entries, next, total, facets } = await choose(ctx, filters, page)
  const rows = await repoRows(ctx.db, actorId(ctx.actor) ?? '').where(isShown(ctx, entries))
  const repos = new Map(rows.map((row) => [row.row.id, toRepo(row)]))
  const items = entries.flatMap(({ id }) => repos.get(id) ?? [])
  return { items, total, facets, ...(next ? { next } : {}) }
}

/** As `listRepos`, without the repos themselves. */
export async function countRepos(
  ctx: Ctx,
  filters: RepoFilters,
): Promise<Pick<RepoList, 'total' | 'facets'>> {
  const { total, facets } = await choose(ctx, filters, { sort: 'updated', limit: 0 })
  return { total, facets }
}

/** A page of the catalogue. */
export async function choose(
  ctx: Ctx,
  filters: RepoFilters,
  { sort, ascending = sort === 'name', after, limit }: RepoPage,
): Promise<Selection & { next?: RepoPosition }> {
  requireReader(ctx)
  const catalogue = catalogueOf(ctx.db)
  const isVisible = await visibleRows(ctx.actor, ctx.db, policyOf(ctx.config))
  const liked = await likedIds(ctx, filters.likedBy)
  const all = await catalogue.entries()
  const fitsFilters = testOf(catalogue, filters, liked)
  const fits = (entry: Entry) => isVisible(entry) && fitsFilters(entry)
  // One more tells whether another page follows.
  const order = { sort, isAscending: ascending, after }
  const { entries, ...rest } = select(catalogue, all, filters, { fits, order, limit: limit + 1 })
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  return {
    ...rest,
    entries: shown,
    ...(last && entries.length > limit ? { next: positionOf(last, sort) } : {}),
  }
}

/** The rows of a page. The database has the last word on what the caller may see. For statements with `namespaces`. */
export const isShown = (ctx: Ctx, entries: readonly Entry[]) =>
  and(
    inArray(
      ctx.db.t.repos.id,
      entries.map(({ id }) => id),
    ),
    visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config)),
  )

async function likedIds({ db: { q, t } }: Ctx, userId: string | undefined): Promise<ReadonlySet<string>> {
  if (userId === undefined) return new Set()
  const rows = await q.select({ id: t.likes.repo_id }).from(t.likes).where(eq(t.likes.user_id, userId))
  return new Set(rows.map(({ id }) => id))
}

/** Lists need a caller where nothing is public, and of a token the scope `read`. */
export function requireReader({ actor, config }: Pick<Ctx, 'actor' | 'config'>): void {
  if (actor.kind === 'user') requireScope(actor, 'read')
  else if (actor.kind === 'anonymous' && !config.security.anonymous_read) requireUser(actor)
}
