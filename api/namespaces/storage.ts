import { eq, inArray, sql } from 'drizzle-orm'
import type { Reader } from './queries.ts'

/**
 * Bytes that each Namespace's Repos hold, those that can be restored among them: their packs, and their large files, each
 * counted once in a Namespace (native-api.md §5).
 */
export async function usedBytes(
  { q, t }: Reader,
  namespaceIds: string[],
): Promise<ReadonlyMap<string, number>> {
  const { repos, lfs_links, lfs_objects } = t
  const used = new Map(namespaceIds.map((id) => [id, 0]))
  const add = (rows: { id: string; bytes: number }[]) => {
    for (const { id, bytes } of rows) used.set(id, (used.get(id) ?? 0) + bytes)
  }
  if (namespaceIds.length === 0) return used
  const isMeant = inArray(repos.namespace_id, namespaceIds)
  add(
    await q
      .select({ id: repos.namespace_id, bytes: sql`sum(${repos.git_bytes})`.mapWith(Number) })
      .from(repos)
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
  return used
}
