import type { Ctx } from '../../../core/ctx.ts'
import { contributorsOf, type Contributors } from '../../../core/git/index.ts'
import { mayBeOurs, requireRepo, type RepoAddress } from '../../repos/index.ts'
import { openRevision } from './revision.ts'

/** Who made the commits that lead to a commit. */
export interface CommitContributors extends Contributors {
  commit: string
}

/**
 * The people whose commits lead to a revision, the default branch when left out. Problems `revision-not-found`,
 * `temporarily-unavailable`.
 */
export async function listContributors(
  ctx: Ctx,
  address: RepoAddress,
  revision?: string,
): Promise<CommitContributors> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, commit } = await openRevision(ctx, repo.id, revision)
  return { commit, ...(await contributorsOf(ctx.git, snapshot, { sha: commit, mayBeOurs })) }
}
