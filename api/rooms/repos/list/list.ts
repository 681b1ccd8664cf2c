import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import { actorId, policyOf, requireScope, requireUser, visibleRepos } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { containing } from './like-pattern.ts'
import { positionOf, sortOf, type ListSort, type RepoPosition } from './order.ts'
import { repoRows, toRepo, type Reader, type Repo } from '../queries.ts'
import { commonGroups, hasTagOf, type TagGroup } from './tag-groups.ts'

/** What a list is narrowed to. Within a list of values any one fits; all fields must hold. */
export interface RepoFilters {
  type?: RepoType | undefined
  /** Each must occur in `ns/name` or in the description, or begin a tag, in any case. */
  words?: string[] | undefined
  /** Each must occur in `ns/name`, in any case. */
  idContains?: string[] | undefined
  ns?: string | undefined
  tasks?: string[] | undefined
  libraries?: string[] | undefined
  licences?: string[] | undefined
  /** Groups of tags: one of each group. */
  tags?: string[][] | undefined
  isGated?: boolean | undefined
  isMirror?: boolean | undefined
  /** Of this user id. */
  likedBy?: string | undefined
}

export interface RepoPage {
  sort: ListSort
  /** Names ascend and all else descends unless this says otherwise. */
  ascending?: boolean | undefined
  after?: RepoPosition | undefined
  limit: number
}

/** The condition of a list: visible to the caller, and all filters but `except`. */
export function matching(
  ctx: Ctx,
  db: Reader,
  filters: RepoFilters,
  { except, common }: { except?: keyof RepoFilters; common?: ReadonlySet<TagGroup> } = {},
): SQL | undefined {
  const { repos, namespaces, likes } = db.t
  const f = except === undefined ? filters : { ...filters, [except]: undefined }
  const inId = (word: string) => containing(sql`${repos.full_key}`, word)
  const tagged = (group: TagGroup) => hasTagOf(db.t, group, common?.has(group) ?? false)
  const visible = visibleRepos(ctx.actor, db, policyOf(ctx.config))
  // SQLite reads a Repo's row before it looks at any subquery, and asks those in turn: as the last of them this is asked
  // of the Repos alone that have the tags, which indexes tell.
  const isAskedLast = ctx.db.engine === 'sqlite' && (f.tags ?? []).some((tags) => common?.has(tags))
  return and(
    isAskedLast ? undefined : visible,
    f.type && eq(repos.type, f.type),
    f.ns === undefined ? undefined : eq(namespaces.name_key, f.ns.toLowerCase()),
    f.tasks && inArray(repos.task, f.tasks),
    f.libraries && inArray(repos.library, f.libraries),
    f.licences && inArray(repos.licence, f.licences),
    f.isGated === undefined ? undefined : f.isGated ? isNotNull(repos.gated) : isNull(repos.gated),
    // No Repo follows an Upstream.
    f.isMirror ? sql`1 = 0` : undefined,
    f.likedBy === undefined
      ? undefined
      : inArray(repos.id, db.q.select({ id: likes.repo_id }).from(likes).where(eq(likes.user_id, f.likedBy))),
    ...(f.idContains ?? []).map(inId),
    ...(f.words ?? []).map((word) =>
      or(inId(word), containing(sql`lower(coalesce(${repos.description}, ''))`, word), tagged(word)),
    ),
    ...(f.tags ?? []).map(tagged),
    isAskedLast ? sql`(select ${visible})` : undefined,
  )
}

/** Which repos are the `limit` behind `after`, and their order. */
export async function pageOf(
  ctx: Ctx,
  filters: RepoFilters,
  { sort, ascending = sort === 'name', after, limit }: RepoPage,
): Promise<{ isOnPage: SQL; order: SQL[] }> {
  const { db } = ctx
  const { repos, namespaces } = db.t
  const { by, bind } = sortOf(db, sort)
  const [beyond, order] = ascending ? [gt, asc] : [lt, desc]
  const value = after && bind(after.value)
  const common = await commonGroups(db, [...(filters.tags ?? []), ...(filters.words ?? [])])
  const isAfter = after && or(beyond(by, value), and(eq(by, value), beyond(repos.id, after.id)))
  // By their ids first: where no index has the order, nothing wider than these two columns is sorted.
  const keys = [order(by), order(repos.id)]
  const page = db.q
    .select({ id: repos.id })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(matching(ctx, db, filters, { common }), isAfter))
    .orderBy(...keys)
    .limit(limit)
  return { isOnPage: inArray(repos.id, page), order: keys }
}

/** A page of the Repos the caller may see. Problems: `unauthenticated` where nothing is public, `insufficient-scope`. */
export async function listRepos(
  ctx: Ctx,
  filters: RepoFilters,
  page: RepoPage,
): Promise<Page<Repo, RepoPosition>> {
  requireReader(ctx)
  const { sort, limit } = page
  return readPage(
    limit,
    async (count) => {
      const { isOnPage, order } = await pageOf(ctx, filters, { ...page, limit: count })
      const rows = await repoRows(ctx.db, actorId(ctx.actor) ?? '')
        .where(isOnPage)
        .orderBy(...order)
      return rows.map(toRepo)
    },
    (last) => positionOf(ctx, sort, last),
  )
}

/** Lists need a caller where nothing is public, and of a Token the scope `read`. */
export function requireReader({ actor, config }: Pick<Ctx, 'actor' | 'config'>): void {
  if (actor.kind === 'user') requireScope(actor, 'read')
  else if (actor.kind === 'anonymous' && !config.security.anonymous_read) requireUser(actor)
}

const exactUpTo = 10_000

/** How many Repos match: exact up to 10 000, beyond that `total` is 10 000 and `isExact` false. */
export async function countRepos(
  ctx: Ctx,
  filters: RepoFilters,
): Promise<{ total: number; isExact: boolean }> {
  const { db } = ctx
  const { repos, namespaces } = db.t
  const rows = db.q
    .select({ id: repos.id })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(matching(ctx, db, filters))
    .limit(exactUpTo + 1)
    .as('matched')
  const [row] = await db.q.select({ n: sql`count(*)`.mapWith(Number) }).from(rows)
  const n = row?.n ?? 0
  return { total: Math.min(n, exactUpTo), isExact: n <= exactUpTo }
}
