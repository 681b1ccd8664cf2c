import { and, asc, count, eq, exists, inArray, lt, or, sql, type SQL } from 'drizzle-orm'
import { actorId, policyOf, visibleCollections } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { hasShortId, type Reads, type Tables, type Tx } from '../../stores/db/index.ts'
import { containing } from '../repos/index.ts'
import type { CollectionTheme, Visibility } from '../../../shared/vocabulary.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** Who asks, and under which policy: what everything visible depends on. */
export type Asker = Pick<Ctx, 'actor' | 'config'>

/** A collection without its items. */
export interface Collection {
  id: string
  namespaceId: string
  ns: string
  nsKind: 'user' | 'org'
  /** Display name of its namespace. */
  nsTitle: string
  title: string
  description: string | null
  visibility: Visibility
  theme: CollectionTheme | null
  /** Its place among those of the namespace; gaps are possible. */
  position: number
  upvotes: number
  /** Whether the caller is among those who upvoted it. */
  isUpvoted: boolean
  createdAt: Date
  updatedAt: Date
}

/** What is read of a collection; the statement joins its `namespaces`. */
export function columnsFor(
  { q, t: { collections: c, namespaces, collection_upvotes: u } }: Reader,
  userId: string,
) {
  const own = q
    .select({ one: sql`1` })
    .from(u)
    .where(and(eq(u.collection_id, c.id), eq(u.user_id, userId)))
  return {
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
    upvotes: c.upvotes,
    isUpvoted: sql`${exists(own)}`.mapWith(Boolean),
    createdAt: c.created_at,
    updatedAt: c.updated_at,
  }
}

/** `actor` is absent where nothing depends on who asks. */
function collectionRows(reader: Reader, actor?: Ctx['actor']) {
  const { collections: c, namespaces } = reader.t
  return reader.q
    .select(columnsFor(reader, (actor && actorId(actor)) ?? ''))
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
}

const visible = (reader: Reader, { actor, config }: Asker): SQL =>
  visibleCollections(actor, reader.t, policyOf(config))

/** The collection of this short id in a namespace, if the caller may see it: one query for what is hidden and absent. */
export async function findCollection(
  reader: Reader,
  asker: Asker,
  ns: string,
  short: string,
): Promise<Collection | undefined> {
  const { collections, namespaces } = reader.t
  const isIt = and(eq(namespaces.name_key, ns.toLowerCase()), hasShortId(collections.id, short))
  const [row] = await collectionRows(reader, asker.actor).where(and(isIt, visible(reader, asker)))
  return row
}

/** Those of these collections that the caller may see, by id. */
export async function findCollectionsById(
  reader: Reader,
  asker: Asker,
  ids: readonly string[],
): Promise<Map<string, Collection>> {
  if (ids.length === 0) return new Map()
  const isOne = inArray(reader.t.collections.id, [...new Set(ids)])
  const rows = await collectionRows(reader, asker.actor).where(and(isOne, visible(reader, asker)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** A collection of exactly this title in a namespace, for any caller. */
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
  /** Names of namespaces, in any case. */
  owners?: string[] | undefined
  /** Ids of what the caller may see. */
  holding?: { repoIds: string[]; collectionIds: string[] } | undefined
  /** Each must occur in the title or description, in any case. */
  words?: string[] | undefined
}

/** The condition of a list: visible to the caller, and all filters. */
export function matching(
  reader: Reader,
  asker: Asker,
  { owners, holding, words = [] }: CollectionFilters,
): SQL | undefined {
  const { collections: c, collection_items: items, namespaces } = reader.t
  const names = owners?.map((owner) => owner.toLowerCase())
  const holds = ({ repoIds, collectionIds }: NonNullable<typeof holding>) => {
    const isOne = or(inArray(items.repo_id, repoIds), inArray(items.item_collection_id, collectionIds))
    return inArray(c.id, reader.q.select({ id: items.collection_id }).from(items).where(isOne))
  }
  const text = sql`lower(${c.title} || ' ' || coalesce(${c.description}, ''))`
  return and(
    visible(reader, asker),
    names && inArray(namespaces.name_key, names),
    holding && holds(holding),
    ...words.map((word) => containing(text, word)),
  )
}

/** Those of a namespace, in their order, that the caller may see. */
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

/** How many of those before it in its namespace the caller may see: its place, which tells of no hidden one. */
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

/** Keeps others from changing the collection until the transaction ends. */
export async function lockCollection({ q, t: { collections: c } }: Tx, id: string): Promise<void> {
  await q
    .update(c)
    .set({ title: sql`${c.title}` })
    .where(eq(c.id, id))
}

/** Changes columns of a collection. */
export async function setCollection(
  { q, t: { collections } }: Tx,
  id: string,
  set: Partial<Tables['collections']['$inferInsert']>,
): Promise<void> {
  await q.update(collections).set(set).where(eq(collections.id, id))
}
