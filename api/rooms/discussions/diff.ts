import { can, policyOf } from '../../core/access/index.ts'
import { compareFile, type FileComparison, type WantedDiff } from '../content/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import {
  diffCommits,
  patchBetween,
  type ChangedFiles,
  type DiffOptions,
  type MergeSides,
} from '../../core/git/index.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { comparedSides } from './mergeable.ts'
import type { PullRequest } from './queries.ts'
import { requireForum, requirePullRequest } from './require.ts'

/** What a pull request changes in one file. Problems `gated`, `not-found`, `state-conflict`, `entry-not-found`. */
export async function diffOfPullRequest(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  file: WantedDiff,
): Promise<FileComparison> {
  const repo = await requireForum(ctx, address, 'repo.files')
  const { pull } = await requirePullRequest(ctx.db, repo, num)
  const snapshot = await ctx.git.open(repo.id, ctx)
  return compareFile(ctx, snapshot, await comparedSides(ctx, snapshot, pull), file)
}

/** The files that a pull request changes, and the two commits compared. Problems `not-found`, `state-conflict`. */
export async function filesOfPullRequest(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  options?: DiffOptions,
): Promise<ChangedFiles & MergeSides> {
  const repo = await requireForum(ctx, address, 'repo.read')
  const { pull } = await requirePullRequest(ctx.db, repo, num)
  const snapshot = await ctx.git.open(repo.id, ctx)
  const sides = await comparedSides(ctx, snapshot, pull)
  const found = await diffCommits(ctx.git, snapshot, sides, options)
  return { files: [], isTruncated: false, isUncounted: false, ...found, ...sides }
}

/**
 * All that a pull request changes, as git writes it; `undefined` when that is too long, or the caller has no access to
 * the repo's files.
 */
export async function patchOfPullRequest(
  ctx: Ctx,
  repo: Repo,
  pull: PullRequest,
): Promise<string | undefined> {
  if (!can(ctx.actor, 'repo.files', repo, policyOf(ctx.config))) return undefined
  const snapshot = await ctx.git.open(repo.id, ctx)
  return patchBetween(ctx.git, snapshot, await comparedSides(ctx, snapshot, pull))
}
