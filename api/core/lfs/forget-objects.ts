import { and, eq, inArray } from 'drizzle-orm'
import { inBatches, type Tx } from '../../stores/db/index.ts'

/**
 * Forgets these objects of a repo, from any uploader; answers those it had linked. The caller has made sure
 * that no pointer needs them.
 */
export async function forgetObjects({ q, t }: Tx, repoId: string, sha256s: string[]): Promise<string[]> {
  const { lfs_links: l, lfs_grants: g } = t
  const gone = await inBatches(sha256s, async (some) => {
    await q.delete(g).where(and(eq(g.repo_id, repoId), inArray(g.sha256, some)))
    return q
      .delete(l)
      .where(and(eq(l.repo_id, repoId), inArray(l.sha256, some)))
      .returning({ sha256: l.sha256 })
  })
  return gone.map((row) => row.sha256)
}
