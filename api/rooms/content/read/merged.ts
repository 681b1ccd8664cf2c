import type { Ctx } from '../../../core/ctx.ts'
import { mergedCommits, type CommitRecord } from '../../../core/git/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { recordOf, requireCommit } from './commit-detail.ts'

/** As many commits of a merge are listed. */
const MAX_MERGED = 50

/** The commits that a merge has brought, and whether there are more. */
export interface MergedCommits {
  commits: CommitRecord[]
  isTruncated: boolean
}

/**
 * The commits that the merge `sha` has brought beside its first parent, newest first; none of a commit that is no merge.
 * Problem `revision-not-found`.
 */
export async function listMerged(ctx: Ctx, address: RepoAddress, sha: string): Promise<MergedCommits> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, commit } = await requireCommit(ctx, repo.id, sha)
  const { parents } = await recordOf(ctx, snapshot, commit)
  const merged = await mergedCommits(ctx.git, snapshot, parents, MAX_MERGED + 1)
  const commits: CommitRecord[] = []
  for (const each of merged.slice(0, MAX_MERGED)) commits.push(await recordOf(ctx, snapshot, each))
  return { commits, isTruncated: merged.length > MAX_MERGED }
}
