import { and, asc, desc, eq, gt, gte, lt, or, sql, type SQL } from 'drizzle-orm'
import { actorId } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import {
  columnsFor,
  matching,
  type Asker,
  type Collection,
  type CollectionFilters,
  type Reader,
} from './queries.ts'

/**
 * `updated`: the latest change first. `position`: as their namespace has put them. `upvotes`: the most first. `trending`:
 * the most upvotes of the last seven days first. Among equals of the last two the latest change is first.
 */
export type CollectionSort = 'updated' | 'position' | 'upvotes' | 'trending'

/** Where a page begins: the sort values (times in ms) and id of the collection before it. */
export interface CollectionPosition {
  values: number[]
  id: string
}

/** A stretch of a list. */
export interface CollectionPage {
  sort: CollectionSort
  after?: CollectionPosition | undefined
  limit: number
}

/** A collection with the number that its list is sorted by first, but for `updated`. */
export type RankedCollection = Collection & { rank: number }

/** Where the page behind this collection begins. */
export function positionBehind(sort: CollectionSort, last: RankedCollection): CollectionPosition {
  const at = last.updatedAt.getTime()
  const values = { updated: [at], position: [last.rank], upvotes: [last.rank, at], trending: [last.rank, at] }
  return { values: values[sort], id: last.id }
}

const days = 7
const dayMs = 86_400_000

/** How many upvotes a collection has had in seven days; whole days, so that a list stays as it is from page to page. */
function recentUpvotes({ q, t: { collections, collection_upvotes: u } }: Reader, now: Date): SQL {
  const since = new Date((Math.floor(now.getTime() / dayMs) - days) * dayMs)
  const isRecent = and(eq(u.collection_id, collections.id), gte(u.created_at, since))
  const counted = q
    .select({ n: sql`count(*)` })
    .from(u)
    .where(isRecent)
  return sql`(${counted})`
}

/** What comes behind a position, all keys in one direction. */
function behind(keys: SQL[], beyond: typeof gt, values: unknown[]): SQL | undefined {
  const [key, ...keysLeft] = keys
  const [value, ...valuesLeft] = values
  if (!key) return undefined
  const further = behind(keysLeft, beyond, valuesLeft)
  return or(beyond(key, value), further && and(eq(key, value), further))
}

/** Collections the caller may see that match. */
export async function selectCollections(
  reader: Reader,
  asker: Asker & Pick<Ctx, 'now'>,
  filters: CollectionFilters,
  { sort, after, limit }: CollectionPage,
): Promise<RankedCollection[]> {
  const { collections: c, namespaces } = reader.t
  const ranks: Record<CollectionSort, () => SQL> = {
    updated: () => sql`0`,
    position: () => sql`${c.position}`,
    upvotes: () => sql`${c.upvotes}`,
    trending: () => recentUpvotes(reader, asker.now()),
  }
  const rank = ranks[sort]()
  const updated = sql`${c.updated_at}`
  const keys = { updated: [updated], position: [rank], upvotes: [rank, updated], trending: [rank, updated] }[
    sort
  ]
  const [beyond, order] = sort === 'position' ? [gt, asc] : [lt, desc]
  const bind = (key: SQL | undefined, value: number) =>
    key === updated ? sql.param(new Date(value), c.updated_at) : value
  const values = after?.values.map((value, i) => bind(keys[i], value))
  const isBehind = after && values && behind([...keys, sql`${c.id}`], beyond, [...values, after.id])
  return reader.q
    .select({ ...columnsFor(reader, actorId(asker.actor) ?? ''), rank: rank.mapWith(Number) })
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
    .where(and(matching(reader, asker, filters), isBehind))
    .orderBy(...keys.map((key) => order(key)), order(c.id))
    .limit(limit)
}
