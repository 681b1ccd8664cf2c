import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { protectionOf, shortName } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import type { PullRequest, Reader } from '../queries.ts'
import type { PullRequestDiscussion } from '../require.ts'
import { listReviewers, type Reviewer } from './reviewers.ts'

/** What branch rules ask of reviews before the caller may merge, and what there is of it. */
export interface Approvals {
  required: number
  /** By people who may write, of the newest commits. */
  given: number
  /** People who may write and want changes: where approvals are required, they hold the merge. */
  against: string[]
}

/** How a pull request stands with its reviewers, for the caller; read by `reader`. */
export async function approvalsOf(
  ctx: Ctx,
  reader: Reader,
  { repo, pull, reviewers }: { repo: Repo; pull: PullRequest; reviewers: readonly Reviewer[] },
): Promise<Approvals> {
  const counted = reviewers.filter(({ counts }) => counts)
  return {
    required: (await protectionOf(ctx, repo, reader)).requiredApprovals(shortName({ name: pull.baseRef })),
    given: counted.filter(({ state, isOutdated }) => state === 'approved' && !isOutdated).length,
    against: counted.filter(({ state }) => state === 'changes_requested').map(({ username }) => username),
  }
}

/** Whether a rule holds the merge. */
export const isHeld = ({ required, given, against }: Approvals): boolean =>
  required > 0 && (given < required || against.length > 0)

/** Problem `branch-protected` while a rule of the base holds the merge. */
export async function requireApprovals(
  ctx: Ctx,
  reader: Reader,
  repo: Repo,
  discussion: PullRequestDiscussion,
): Promise<void> {
  const reviewers = (await listReviewers(reader, repo, [discussion])).get(discussion.id) ?? []
  const approvals = await approvalsOf(ctx, reader, { repo, pull: discussion.pull, reviewers })
  if (!isHeld(approvals)) return
  const { required, given, against } = approvals
  const why =
    against.length > 0
      ? `${against.join(', ')} requested changes`
      : `its newest commits have ${given} of ${required} approvals`
  throw new Problem('branch-protected', {
    detail: `The branch ${shortName({ name: discussion.pull.baseRef })} is protected: ${why}.`,
  })
}
