import { and, asc, eq, inArray, lte, max, sql } from 'drizzle-orm'
import { actorId, policyOf, visibleRepos } from '../access/index.ts'
import { findReposById, type Repo } from '../repos/index.ts'
import type { Asker, Reader } from './queries.ts'

/** A Repo in a Collection. */
export interface Item {
  id: string
  repo: Repo
  note: string | null
  /** Its place among the items the caller may see, from 0. */
  position: number
}

/** The items of a Collection that the caller may see: the first of them, and how many there are. */
export interface Items {
  items: Item[]
  count: number
}

/** The items of each of the Collections that the caller may see, at most `most` of each, in two queries. */
export async function itemsOf(
  reader: Reader,
  asker: Asker,
  ids: string[],
  most: number,
): Promise<Map<string, Items>> {
  const found = new Map<string, Items>(ids.map((id) => [id, { items: [], count: 0 }]))
  const rows = ids.length === 0 ? [] : await rankedRows(reader, asker, ids, most)
  const repos = await findReposById(
    reader,
    rows.map(({ repoId }) => repoId),
    actorId(asker.actor) ?? '',
  )
  for (const { id, collectionId, repoId, note, rank, visible } of rows) {
    const repo = repos.get(repoId)
    const into = found.get(collectionId)
    if (!repo || !into) continue
    into.count = visible
    into.items.push({ id, repo, note, position: rank - 1 })
  }
  return found
}

async function rankedRows(reader: Reader, { actor, config }: Asker, ids: string[], most: number) {
  const { collection_items: i, repos, namespaces } = reader.t
  const order = sql`order by ${i.position}, ${i.id}`
  const ranked = reader.q
    .select({
      id: i.id,
      collectionId: i.collection_id,
      repoId: i.repo_id,
      note: i.note,
      rank: sql`row_number() over (partition by ${i.collection_id} ${order})`.mapWith(Number).as('rank'),
      visible: sql`count(*) over (partition by ${i.collection_id})`.mapWith(Number).as('visible'),
    })
    .from(i)
    .innerJoin(repos, eq(repos.id, i.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(inArray(i.collection_id, ids), visibleRepos(actor, reader, policyOf(config))))
    .as('ranked')
  return reader.q
    .select()
    .from(ranked)
    .where(lte(ranked.rank, most))
    .orderBy(asc(ranked.collectionId), asc(ranked.rank))
}

/** The places of a Collection's items, visible or not: how many there are, and behind which a new one goes. */
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
