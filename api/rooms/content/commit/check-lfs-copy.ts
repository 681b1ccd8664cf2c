import type { Ctx } from '../../../core/ctx.ts'
import { findInRepo } from '../../../core/lfs/index.ts'
import { RepoMoved, requireRepo, requireQuota, type Repo, type RepoAddress } from '../../repos/index.ts'

/**
 * Checks what a commit to one repo is about to take over from another: `from` must hold the large files, for this caller,
 * and `to` must have room. Answers those that `from` does not hold, even if another repo does. Changes nothing: to read
 * them in `from` is the right to commit them, and the commit checks it once more. Problems: `repo-not-found`, `gated`,
 * `forbidden`, `quota-exceeded`.
 */
export async function checkLfsCopy(
  ctx: Ctx,
  from: RepoAddress,
  to: RepoAddress,
  sha256s: string[],
): Promise<string[]> {
  const source = await requireRepo(ctx, from, 'repo.files')
  const target = await requireTarget(ctx, to)
  const found = await findInRepo(ctx.db, ctx, source.id, sha256s)
  const objects = [...found.values()].map(({ sha256, size }) => ({ sha256, sizeBytes: size }))
  await requireQuota(ctx, target.id, { objects })
  return [...new Set(sha256s)].filter((sha256) => !found.has(sha256))
}

/**
 * The request does not say whether the commit will open a pull request, which readers may do. An old address in a body
 * cannot be redirected by the path, so it is followed here.
 */
async function requireTarget(ctx: Ctx, to: RepoAddress): Promise<Repo> {
  try {
    return await requireRepo(ctx, to, 'repo.open-pull-request')
  } catch (error) {
    if (error instanceof RepoMoved) return requireRepo(ctx, error.to, 'repo.open-pull-request')
    throw error
  }
}
