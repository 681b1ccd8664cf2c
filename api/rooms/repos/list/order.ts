import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Ctx } from '../../../core/ctx.ts'
import { fullKey } from '../address.ts'
import type { RepoLine } from './line.ts'
import type { Reader } from '../queries.ts'

const listSorts = ['updated', 'created', 'name', 'size', 'likes', 'downloads', 'trending'] as const
export type ListSort = (typeof listSorts)[number]

/** Where a page begins: the sort value (times in ms) and id of the Repo before it. */
export interface RepoPosition {
  value: string | number
  id: string
}

/** What a list is sorted by: the column, and the same of a Repo. */
interface SortKey {
  by: SQL
  valueOf: (repo: RepoLine) => string | number
  bind: (value: string | number) => unknown
}

/** How a list is sorted. */
export function sortOf(db: Reader, sort: ListSort): SortKey {
  const { repos } = db.t
  const count = (column: SQLiteColumn, valueOf: (repo: RepoLine) => number): SortKey => ({
    by: sql`${column}`,
    valueOf,
    bind: (value) => value,
  })
  const time = (column: SQLiteColumn, dateOf: (repo: RepoLine) => Date): SortKey => ({
    by: sql`${column}`,
    valueOf: (repo) => dateOf(repo).getTime(),
    bind: (value) => sql.param(new Date(value), column),
  })
  const sorts: Record<ListSort, () => SortKey> = {
    updated: () => time(repos.updated_at, (repo) => repo.updatedAt),
    created: () => time(repos.created_at, (repo) => repo.createdAt),
    name: () => ({
      by: sql`${repos.full_key}`,
      valueOf: fullKey,
      bind: (value) => value,
    }),
    size: () => count(repos.head_bytes, (repo) => repo.headBytes),
    likes: () => count(repos.likes, (repo) => repo.likes),
    downloads: () => count(repos.downloads_30d, (repo) => repo.downloads30d),
    trending: () => count(repos.trending, (repo) => repo.trending),
  }
  return sorts[sort]()
}

/** The position of a Repo in a list, for a page to begin behind it. */
export function positionOf({ db }: Pick<Ctx, 'db'>, sort: ListSort, repo: RepoLine): RepoPosition {
  return { value: sortOf(db, sort).valueOf(repo), id: repo.id }
}
