import type { Ctx } from '../../core/ctx.ts'
import {
  checkMerge,
  knownMerge,
  type Mergeability,
  type MergeSides,
  type Snapshot,
} from '../../core/git/index.ts'
import type { PullRequest } from './queries.ts'

/** Whether a pull request can be merged; `unknown` before the first look, or when there is nothing to merge into. */
export interface MergeState {
  mergeable: 'clean' | 'conflicts' | 'unknown'
  conflicts: string[]
}

const unknown: MergeState = { mergeable: 'unknown', conflicts: [] }

const stateOf = (found: Mergeability | undefined): MergeState =>
  found ? { mergeable: found.isClean ? 'clean' : 'conflicts', conflicts: found.conflicts } : unknown

/** What would be merged into what; `undefined` for a merged one, and where the base is gone. */
function sidesOf(snapshot: Snapshot, pull: PullRequest): MergeSides | undefined {
  const base = snapshot.findRef(pull.baseRef)?.commit
  const head = snapshot.findRef(pull.ref)?.commit
  return base === undefined || head === undefined || pull.merged ? undefined : { base, head }
}

/** Looks, once for each pair of heads. */
export async function mergeStateOf(ctx: Ctx, repoId: string, pull: PullRequest): Promise<MergeState> {
  const snapshot = await ctx.git.open(repoId, ctx)
  const sides = sidesOf(snapshot, pull)
  return sides ? stateOf(await checkMerge(ctx.git, snapshot, sides)) : unknown
}

/** As `mergeStateOf`, of what was looked at before: for lists. */
export async function knownMergeStateOf(ctx: Ctx, repoId: string, pull: PullRequest): Promise<MergeState> {
  const sides = sidesOf(await ctx.git.open(repoId, ctx), pull)
  return sides ? stateOf(knownMerge(ctx.git, repoId, sides)) : unknown
}

/** What a pull request changes: from where it left its base up to its head, also after it was merged. */
export async function comparedSides(ctx: Ctx, snapshot: Snapshot, pull: PullRequest): Promise<MergeSides> {
  if (pull.merged) return { base: pull.merged.base, head: pull.merged.head }
  const head = snapshot.findRef(pull.ref)?.commit ?? pull.head
  const sides = sidesOf(snapshot, pull)
  const found = sides && (await checkMerge(ctx.git, snapshot, sides))
  return { base: found?.mergeBase ?? pull.openedOn, head }
}
