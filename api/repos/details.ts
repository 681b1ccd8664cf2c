import { eq, inArray, sql } from 'drizzle-orm'
import type { Reader } from './queries.ts'

/** Card, tags and stored bytes of each of the Repos. */
export async function detailsOf({ q, t }: Reader, ids: string[]): Promise<Map<string, RepoDetails>> {
  if (ids.length === 0) return new Map()
  const { repos, repo_tags, lfs_links, lfs_objects } = t
  const cards = await q
    .select({ id: repos.id, card: repos.card, gitBytes: repos.git_bytes })
    .from(repos)
    .where(inArray(repos.id, ids))
  const details = new Map<string, RepoDetails>(
    cards.map(({ id, ...row }) => [id, { ...row, tags: [], lfsBytes: 0 }]),
  )
  const tags = await q.select().from(repo_tags).where(inArray(repo_tags.repo_id, ids)).orderBy(repo_tags.tag)
  for (const { repo_id, tag } of tags) details.get(repo_id)?.tags.push(tag)
  const sizes = await q
    .select({ id: lfs_links.repo_id, bytes: sql`sum(${lfs_objects.size})`.mapWith(Number) })
    .from(lfs_links)
    .innerJoin(lfs_objects, eq(lfs_objects.sha256, lfs_links.sha256))
    .where(inArray(lfs_links.repo_id, ids))
    .groupBy(lfs_links.repo_id)
  for (const { id, bytes } of sizes) {
    const detail = details.get(id)
    if (detail) detail.lfsBytes = bytes
  }
  return details
}

/** What a Repo's page shows besides its row. */
export interface RepoDetails {
  /** Front matter of the README at the default branch's head. */
  card: Record<string, unknown> | null
  tags: string[]
  gitBytes: number
  lfsBytes: number
}
