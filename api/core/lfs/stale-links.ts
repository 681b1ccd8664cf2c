import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Tx } from '../../stores/db/index.ts'
import type { Reading } from './queries.ts'

/** SHA-256s linked in a repo, in order, behind `after`. */
export async function listLinks(
  { q, t: { lfs_links: l } }: Reading,
  repoId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await q
    .select({ sha256: l.sha256 })
    .from(l)
    .where(and(eq(l.repo_id, repoId), gt(l.sha256, after)))
    .orderBy(asc(l.sha256))
    .limit(limit)
  return rows.map((row) => row.sha256)
}

/** Removes those of the links that were not made or used by a commit since `before`; answers how many. */
export async function dropLinks(
  { q, t: { lfs_links: l } }: Tx,
  repoId: string,
  sha256s: string[],
  before: Date,
): Promise<number> {
  if (sha256s.length === 0) return 0
  const stale = and(eq(l.repo_id, repoId), inArray(l.sha256, sha256s), lt(l.added_at, before))
  return (await q.delete(l).where(stale).returning({ sha256: l.sha256 })).length
}
