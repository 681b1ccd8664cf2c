import { and, asc, count, eq, inArray, isNotNull, lte, max, or, sql, type SQL } from 'drizzle-orm'
import { actorId, policyOf, visibleCollections, visibleRepos } from '../../core/access/index.ts'
import { findReposById, type Repo } from '../repos/index.ts'
import { findCollectionsById, type Asker, type Collection, type Reader } from './queries.ts'

/** A collection in another one, with the number of its items that the caller may see. */
export type InnerCollection = Collection & { count: number }

/** What an item stands for. */
export type Target =
  | { repo: Repo; collection?: undefined }
  | { collection: InnerCollection; repo?: undefined }

/** A repo or a collection in a collection. */
export type Item = Target & {
  id: string
  note: string | null
  /** Its place among the items the caller may see, from 0. */
  position: number
}

/** The items of a collection that the caller may see: the first of them, and how many there are. */
export interface Items {
  items: Item[]
  count: number
}

/** The items of each of the collections that the caller may see, at most `most` of each, in at most four queries. */
export async function itemsOf(
  reader: Reader,
  asker: Asker,
  ids: string[],
  most: number,
): Promise<Map<string, Items>> {
  const found = new Map<string, Items>(ids.map((id) => [id, { items: [], count: 0 }]))
  const rows = ids.length === 0 ? [] : await rankedRows(reader, asker, ids, most)
  // One after the other: a transaction on Postgres has one connection.
  const repos = await findReposById(
    reader,
    rows.flatMap(({ repoId }) => repoId ?? []),
    actorId(asker.actor) ?? '',
  )
  const collections = await innerCollections(
    reader,
    asker,
    rows.flatMap(({ innerId }) => innerId ?? []),
  )
  for (const { id, collectionId, repoId, innerId, note, rank, visible } of rows) {
    const repo = repos.get(repoId ?? '')
    const collection = collections.get(innerId ?? '')
    const target = repo ? { repo } : collection && { collection }
    const into = found.get(collectionId)
    if (!target || !into) continue
    into.count = visible
    into.items.push({ id, ...target, note, position: rank - 1 })
  }
  return found
}

/** Items with what they stand for and its namespace; a collection among them is `collections` here. */
const withTargets = ({ t: { collection_items: i, repos, collections, namespaces } }: Reader) => ({
  ofRepo: eq(repos.id, i.repo_id),
  ofCollection: eq(collections.id, i.item_collection_id),
  ofNamespace: eq(namespaces.id, sql`coalesce(${repos.namespace_id}, ${collections.namespace_id})`),
})

function visibleItems(reader: Reader, { actor, config }: Asker): SQL | undefined {
  const { collection_items: i } = reader.t
  const policy = policyOf(config)
  return or(
    and(isNotNull(i.repo_id), visibleRepos(actor, reader, policy)),
    and(isNotNull(i.item_collection_id), visibleCollections(actor, reader.t, policy)),
  )
}

async function rankedRows(reader: Reader, asker: Asker, ids: string[], most: number) {
  const { collection_items: i, repos, collections, namespaces } = reader.t
  const { ofRepo, ofCollection, ofNamespace } = withTargets(reader)
  const order = sql`order by ${i.position}, ${i.id}`
  const ranked = reader.q
    .select({
      id: i.id,
      collectionId: i.collection_id,
      repoId: i.repo_id,
      innerId: i.item_collection_id,
      note: i.note,
      rank: sql`row_number() over (partition by ${i.collection_id} ${order})`.mapWith(Number).as('rank'),
      visible: sql`count(*) over (partition by ${i.collection_id})`.mapWith(Number).as('visible'),
    })
    .from(i)
    .leftJoin(repos, ofRepo)
    .leftJoin(collections, ofCollection)
    .innerJoin(namespaces, ofNamespace)
    .where(and(inArray(i.collection_id, ids), visibleItems(reader, asker)))
    .as('ranked')
  return reader.q
    .select()
    .from(ranked)
    .where(lte(ranked.rank, most))
    .orderBy(asc(ranked.collectionId), asc(ranked.rank))
}

/** Collections by id, as they stand in others. */
async function innerCollections(
  reader: Reader,
  asker: Asker,
  ids: string[],
): Promise<Map<string, InnerCollection>> {
  if (ids.length === 0) return new Map()
  const { collection_items: i, repos, collections, namespaces } = reader.t
  const { ofRepo, ofCollection, ofNamespace } = withTargets(reader)
  const found = await findCollectionsById(reader, asker, ids)
  const counted = await reader.q
    .select({ id: i.collection_id, n: count() })
    .from(i)
    .leftJoin(repos, ofRepo)
    .leftJoin(collections, ofCollection)
    .innerJoin(namespaces, ofNamespace)
    .where(and(inArray(i.collection_id, ids), visibleItems(reader, asker)))
    .groupBy(i.collection_id)
  const counts = new Map(counted.map(({ id, n }) => [id, n]))
  return new Map([...found].map(([id, each]) => [id, { ...each, count: counts.get(id) ?? 0 }]))
}

/** The places of a collection's items, visible or not: how many there are, and behind which a new one goes. */
export async function extentOf({ q, t }: Reader, collectionId: string): Promise<{ n: number; end: number }> {
  const { collection_items: i } = t
  const isIts = eq(i.collection_id, collectionId)
  const [row] = await q
    .select({ last: max(i.position) })
    .from(i)
    .where(isIts)
  return { n: await q.$count(i, isIts), end: (row?.last ?? -1) + 1 }
}

/** The items that the caller sees, in order, with their places among all. */
export async function placedItems(
  { q, t }: Reader,
  { items }: Pick<Items, 'items'>,
): Promise<{ id: string; position: number }[]> {
  const { collection_items: i } = t
  const ids = items.map(({ id }) => id)
  return q
    .select({ id: i.id, position: i.position })
    .from(i)
    .where(inArray(i.id, ids))
    .orderBy(asc(i.position), asc(i.id))
}
