import { and, asc, count, desc, eq, gt, inArray, lt, or, sql, type SQL } from 'drizzle-orm'
import { policyOf, visibleCollections } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { hasShortId, type Reads, type Tables, type Tx } from '../db/index.ts'
import { containing } from '../repos/index.ts'
import type { CollectionTheme, Visibility } from '../../shared/vocabulary.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** Who asks, and under which policy: what everything visible depends on. */
export type Asker = Pick<Ctx, 'actor' | 'config'>

/** A Collection without its items. */
export interface Collection {
  id: string
  namespaceId: string
  ns: string
  nsKind: 'user' | 'org'
  /** Display name of its Namespace. */
  nsTitle: string
  title: string
  description: string | null
  visibility: Visibility
  theme: CollectionTheme | null
  /** Its place among those of the Namespace; gaps are possible. */
  position: number
  createdAt: Date
  updatedAt: Date
}

function collectionRows({ q, t: { collections: c, namespaces } }: Reader) {
  return q
    .select({
      id: c.id,
      namespaceId: c.namespace_id,
      ns: namespaces.name,
      nsKind: namespaces.kind,
      nsTitle: namespaces.display_name,
      title: c.title,
      description: c.description,
      visibility: c.visibility,
      theme: c.theme,
      position: c.position,
      createdAt: c.created_at,
      updatedAt: c.updated_at,
    })
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
}

const visible = (reader: Reader, { actor, config }: Asker): SQL =>
  visibleCollections(actor, reader.t, policyOf(config))

/** The Collection of this short id in a Namespace, if the caller may see it: one query for what is hidden and absent. */
export async function findCollection(
  reader: Reader,
  asker: Asker,
  ns: string,
  short: string,
): Promise<Collection | undefined> {
  const { collections, namespaces } = reader.t
  const isIt = and(eq(namespaces.name_key, ns.toLowerCase()), hasShortId(collections.id, short))
  const [row] = await collectionRows(reader).where(and(isIt, visible(reader, asker)))
  return row
}

/** A Collection of this very title in a Namespace, whoever asks. */
export async function findTitled(
  reader: Reader,
  namespaceId: string,
  title: string,
): Promise<Collection | undefined> {
  const { collections: c } = reader.t
  const [row] = await collectionRows(reader).where(and(eq(c.namespace_id, namespaceId), eq(c.title, title)))
  return row
}

/** What a list is narrowed to; of several owners or items any one fits. */
export interface CollectionFilters {
  /** Names of Namespaces, in any case. */
  owners?: string[] | undefined
  /** Ids of Repos that the caller may see. */
  repoIds?: string[] | undefined
  /** Each must occur in the title or description, in any case. */
  words?: string[] | undefined
}

function matching(reader: Reader, asker: Asker, { owners, repoIds, words = [] }: CollectionFilters) {
  const { collections: c, collection_items: items, namespaces } = reader.t
  const names = owners?.map((owner) => owner.toLowerCase())
  const holds = (ids: string[]) =>
    inArray(c.id, reader.q.select({ id: items.collection_id }).from(items).where(inArray(items.repo_id, ids)))
  const text = sql`lower(${c.title} || ' ' || coalesce(${c.description}, ''))`
  return and(
    visible(reader, asker),
    names && inArray(namespaces.name_key, names),
    repoIds && holds(repoIds),
    ...words.map((word) => containing(text, word)),
  )
}

const collectionSorts = ['updated', 'position'] as const
/** `updated`: the latest change first. `position`: as their Namespace has put them. */
export type CollectionSort = (typeof collectionSorts)[number]

/** Where a page begins: the sort value (times in ms) and id of the Collection before it. */
export interface CollectionPosition {
  value: number
  id: string
}

/** A stretch of a list. */
export interface CollectionPage {
  sort: CollectionSort
  after?: CollectionPosition | undefined
  limit: number
}

/** Where the page behind this Collection begins. */
export const positionBehind = (sort: CollectionSort, last: Collection): CollectionPosition => ({
  value: sort === 'updated' ? last.updatedAt.getTime() : last.position,
  id: last.id,
})

/** Collections the caller may see that match. */
export async function selectCollections(
  reader: Reader,
  asker: Asker,
  filters: CollectionFilters,
  { sort, after, limit }: CollectionPage,
): Promise<Collection[]> {
  const { collections: c } = reader.t
  const isUpdated = sort === 'updated'
  const column = isUpdated ? c.updated_at : c.position
  const by = sql`${column}`
  const [beyond, order] = isUpdated ? [lt, desc] : [gt, asc]
  const value = after && sql.param(isUpdated ? new Date(after.value) : after.value, column)
  const isBehind = after && or(beyond(by, value), and(eq(by, value), beyond(c.id, after.id)))
  return collectionRows(reader)
    .where(and(matching(reader, asker, filters), isBehind))
    .orderBy(order(by), order(c.id))
    .limit(limit)
}

/** Those of a Namespace, in their order, that the caller may see. */
export async function siblingsOf(
  reader: Reader,
  asker: Asker,
  namespaceId: string,
): Promise<{ id: string; position: number }[]> {
  const { collections: c, namespaces } = reader.t
  return reader.q
    .select({ id: c.id, position: c.position })
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
    .where(and(eq(c.namespace_id, namespaceId), visible(reader, asker)))
    .orderBy(asc(c.position), asc(c.id))
}

/** How many of those before it in its Namespace the caller may see: its place, which tells of no hidden one. */
export async function placeOf(
  reader: Reader,
  asker: Asker,
  { id, namespaceId, position }: Collection,
): Promise<number> {
  const { collections: c, namespaces } = reader.t
  const isBefore = or(lt(c.position, position), and(eq(c.position, position), lt(c.id, id)))
  const [row] = await reader.q
    .select({ n: count() })
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
    .where(and(eq(c.namespace_id, namespaceId), isBefore, visible(reader, asker)))
  return row?.n ?? 0
}

/** Keeps others from changing the Collection until the transaction ends. */
export async function lockCollection({ q, t: { collections: c } }: Tx, id: string): Promise<void> {
  await q
    .update(c)
    .set({ title: sql`${c.title}` })
    .where(eq(c.id, id))
}

/** Changes columns of a Collection. */
export async function setCollection(
  { q, t: { collections } }: Tx,
  id: string,
  set: Partial<Tables['collections']['$inferInsert']>,
): Promise<void> {
  await q.update(collections).set(set).where(eq(collections.id, id))
}
