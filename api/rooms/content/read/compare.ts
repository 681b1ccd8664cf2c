import type { Ctx } from '../../../core/ctx.ts'
import {
  diffCommits,
  divergenceOf,
  type ChangedFiles,
  type DiffOptions,
  type Divergence,
  type MergeSides,
} from '../../../core/git/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { compareFile, type FileComparison, type WantedDiff } from './diff.ts'
import { openRevision } from './revision.ts'

/** Two revisions, by any name that resolves. */
export interface Revisions {
  base: string
  head: string
}

/** What differs between two revisions. */
export interface Comparison extends MergeSides, ChangedFiles {
  /** Absent when counting took too long. */
  divergence?: Divergence
}

/** The files that differ between two revisions, as they stand. Problem `revision-not-found`. */
export async function compareRevisions(
  ctx: Ctx,
  address: RepoAddress,
  asked: Revisions,
  options?: DiffOptions,
): Promise<Comparison> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, sides } = await openBoth(ctx, repo.id, asked)
  const [diff, divergence] = await Promise.all([
    diffCommits(ctx.git, snapshot, sides, options),
    divergenceOf(ctx.git, snapshot, sides),
  ])
  const none = { files: [], isTruncated: false, isUncounted: false }
  return { ...none, ...diff, ...sides, ...(divergence && { divergence }) }
}

/** How far apart the histories of two revisions are. Problem `revision-not-found`. */
export async function getDivergence(
  ctx: Ctx,
  address: RepoAddress,
  asked: Revisions,
): Promise<MergeSides & { divergence?: Divergence }> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, sides } = await openBoth(ctx, repo.id, asked)
  const divergence = await divergenceOf(ctx.git, snapshot, sides)
  return { ...sides, ...(divergence && { divergence }) }
}

/** How one file differs between two revisions. Problems `gated`, `revision-not-found`, `entry-not-found`. */
export async function diffOfRevisions(
  ctx: Ctx,
  address: RepoAddress,
  asked: Revisions,
  file: WantedDiff,
): Promise<FileComparison> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const { snapshot, sides } = await openBoth(ctx, repo.id, asked)
  return compareFile(ctx, snapshot, sides, file)
}

async function openBoth(ctx: Ctx, repoId: string, { base, head }: Revisions) {
  const from = await openRevision(ctx, repoId, base)
  // Later than the first, so that it has both.
  const to = await openRevision(ctx, repoId, head)
  return { snapshot: to.snapshot, sides: { base: from.commit, head: to.commit } }
}
