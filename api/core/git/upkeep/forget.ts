import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../stores/db/index.ts'

const BATCH = 500

/**
 * Drops a purged repo's refs and history index and retires its packs, whose bytes the sweep deletes later. One call
 * does a bounded part; `true` when nothing is left.
 */
export async function forgetRepo(tx: Tx, repoId: string, at: Date): Promise<boolean> {
  const { q, t } = tx
  await q.delete(t.git_refs).where(eq(t.git_refs.repo_id, repoId))
  await q.delete(t.git_shallow).where(eq(t.git_shallow.repo_id, repoId))
  await q.delete(t.git_ref_log).where(eq(t.git_ref_log.repo_id, repoId))
  await q
    .update(t.git_packs)
    .set({ state: 'retired', retired_at: at })
    .where(and(eq(t.git_packs.repo_id, repoId), eq(t.git_packs.state, 'live')))
  if (await forgetFolders(tx, repoId)) return false
  if (await forgetCommits(tx, repoId)) return false
  await q.delete(t.git_chains).where(eq(t.git_chains.repo_id, repoId))
  await q.delete(t.git_repos).where(eq(t.git_repos.repo_id, repoId))
  return true
}

/** Drops the history index of a repo, which is made again from its commits. */
export async function forgetHistory({ q, t }: Tx, repoId: string): Promise<void> {
  await q.delete(t.git_changes).where(eq(t.git_changes.repo_id, repoId))
  await q.delete(t.git_dirs).where(eq(t.git_dirs.repo_id, repoId))
  await q.delete(t.git_commits).where(eq(t.git_commits.repo_id, repoId))
  await q.delete(t.git_chains).where(eq(t.git_chains.repo_id, repoId))
}

async function forgetFolders({ q, t: { git_dirs, git_changes } }: Tx, repoId: string): Promise<boolean> {
  const dirs = await q
    .select({ id: git_dirs.id })
    .from(git_dirs)
    .where(eq(git_dirs.repo_id, repoId))
    .limit(BATCH)
  if (dirs.length === 0) return false
  const ids = dirs.map(({ id }) => id)
  await q.delete(git_changes).where(and(eq(git_changes.repo_id, repoId), inArray(git_changes.dir_id, ids)))
  await q.delete(git_dirs).where(inArray(git_dirs.id, ids))
  return true
}

async function forgetCommits({ q, t: { git_commits } }: Tx, repoId: string): Promise<boolean> {
  const commits = await q
    .select({ oid: git_commits.oid })
    .from(git_commits)
    .where(eq(git_commits.repo_id, repoId))
    .limit(BATCH)
  if (commits.length === 0) return false
  const oids = commits.map(({ oid }) => oid)
  await q.delete(git_commits).where(and(eq(git_commits.repo_id, repoId), inArray(git_commits.oid, oids)))
  return true
}
