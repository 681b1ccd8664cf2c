import { eq, inArray, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { inBatches, type Db } from '../../stores/db/index.ts'
import type { Reader } from './queries.ts'

/**
 * Bytes that each namespace's repos hold, those that can be restored among them: their packs, and their large files, each
 * counted once in a namespace (native-api.md §5); the images that a user has put into comments anywhere; and its avatar.
 */
export async function usedBytes(
  { q, t }: Reader,
  namespaceIds: string[],
): Promise<ReadonlyMap<string, number>> {
  const { repos, git_repos, lfs_links, lfs_objects } = t
  const used = new Map(namespaceIds.map((id) => [id, 0]))
  const add = (rows: { id: string; bytes: number }[]) => {
    for (const { id, bytes } of rows) used.set(id, (used.get(id) ?? 0) + bytes)
  }
  if (namespaceIds.length === 0) return used
  const isMeant = inArray(repos.namespace_id, namespaceIds)
  add(
    await q
      .select({ id: repos.namespace_id, bytes: sql`sum(${git_repos.pack_bytes})`.mapWith(Number) })
      .from(repos)
      .innerJoin(git_repos, eq(git_repos.repo_id, repos.id))
      .where(isMeant)
      .groupBy(repos.namespace_id),
  )
  const held = q
    .selectDistinct({ id: repos.namespace_id, sha256: lfs_links.sha256 })
    .from(repos)
    .innerJoin(lfs_links, eq(lfs_links.repo_id, repos.id))
    .where(isMeant)
    .as('held')
  add(
    await q
      .select({ id: held.id, bytes: sql`sum(${lfs_objects.size})`.mapWith(Number) })
      .from(held)
      .innerJoin(lfs_objects, eq(lfs_objects.sha256, held.sha256))
      .groupBy(held.id),
  )
  for (const rows of await imageBytes({ q, t }, namespaceIds)) add(rows)
  return used
}

/** Of the images in comments, by who uploaded them, and of avatars. */
async function imageBytes({ q, t: { attachments: i, avatars: a } }: Reader, namespaceIds: string[]) {
  const inComments = await q
    .select({ id: i.user_id, bytes: sql`sum(${i.size})`.mapWith(Number) })
    .from(i)
    .where(inArray(i.user_id, namespaceIds))
    .groupBy(i.user_id)
  const shown = await q
    .select({ id: a.namespace_id, bytes: a.size })
    .from(a)
    .where(inArray(a.namespace_id, namespaceIds))
  return [inComments, shown]
}

/** What a repo's links sum up to, and how often its refs had moved by then: without a move none is added. */
interface LinkSum {
  refSeq: number
  bytes: number
}

const MAX_SUMS = 10_000
const linkSums = () => new LRUCache<string, LinkSum>({ max: MAX_SUMS })

/**
 * No fewer bytes than `usedBytes` counts of a namespace, for much less work: the large files of those repos alone are summed
 * whose refs have moved since the last time. One that several repos hold counts for each of them, and one that a repo has
 * dropped when its refs move. Within an open transaction, given by `tx`, nothing is kept for the next time.
 */
export async function usedAtMost(db: Db, namespaceId: string, tx?: Reader): Promise<number> {
  const { q, t } = tx ?? db
  const { repos, git_repos, lfs_links, lfs_objects } = t
  const sums = db.keep(linkSums)
  const rows = await q
    .select({ id: repos.id, refSeq: git_repos.ref_seq, packBytes: git_repos.pack_bytes })
    .from(repos)
    .innerJoin(git_repos, eq(git_repos.repo_id, repos.id))
    .where(eq(repos.namespace_id, namespaceId))
  const known = new Map(
    rows.flatMap(({ id, refSeq }) => {
      const sum = sums.get(id)
      return sum?.refSeq === refSeq ? [[id, sum.bytes] as const] : []
    }),
  )
  const moved = rows.filter(({ id }) => !known.has(id))
  const summed = await inBatches(
    moved.map(({ id }) => id),
    (some) =>
      q
        .select({ id: lfs_links.repo_id, bytes: sql`sum(${lfs_objects.size})`.mapWith(Number) })
        .from(lfs_links)
        .innerJoin(lfs_objects, eq(lfs_objects.sha256, lfs_links.sha256))
        .where(inArray(lfs_links.repo_id, some))
        .groupBy(lfs_links.repo_id),
  )
  for (const { id, bytes } of summed) known.set(id, bytes)
  if (!tx) for (const { id, refSeq } of moved) sums.set(id, { refSeq, bytes: known.get(id) ?? 0 })
  const images = (await imageBytes({ q, t }, [namespaceId])).flat()
  return rows.reduce(
    (total, { id, packBytes }) => total + packBytes + (known.get(id) ?? 0),
    images.reduce((total, { bytes }) => total + bytes, 0),
  )
}
