import { authorise, policyOf } from '../../core/access/index.ts'
import { commit, commitTo, type CommitInput, type CommitOutcome } from '../content/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { addCommitEvent, insertOpened } from './insert.ts'
import { findDiscussion, nextNumber, pullRef, setDiscussion } from './queries.ts'
import {
  authoriseAuthor,
  commentOf,
  requireForum,
  requireOpen,
  titleOf,
  type PullRequestDiscussion,
} from './require.ts'
import type { Tx } from '../../stores/db/index.ts'

/** A commit to a branch or, with `refs/pr/N` as its branch, to a pull request; or one that opens a pull request. */
export interface WiderCommitInput extends CommitInput {
  createPullRequest?: boolean
  /** Whether the pull request that it opens is a draft. */
  isDraft?: boolean
}

export interface WiderCommitOutcome extends CommitOutcome {
  /** Number of the pull request it has opened. */
  opened?: number
}

/** The number in `refs/pr/N`. */
export const pullNumberOf = (revision: string): number | undefined => {
  const digits = /^refs\/pr\/([1-9]\d{0,8})$/.exec(revision)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * As `commit` of content, to pull requests as well. With `createPullRequest` the branch is the base, the title and body
 * are those of the pull request, and all of it comes about together or not at all. Problems besides those of `commit`:
 * `discussions-disabled`, `gated`, and `state-conflict` for a pull request that is not open.
 */
export async function commitAnywhere(
  ctx: Ctx,
  address: RepoAddress,
  { createPullRequest, isDraft = false, ...input }: WiderCommitInput,
): Promise<WiderCommitOutcome> {
  if (createPullRequest) return openByCommit(ctx, address, input, isDraft)
  const num = pullNumberOf(input.branch ?? '')
  return num === undefined ? commit(ctx, address, input) : commitToPullRequest(ctx, address, num, input)
}

/**
 * A user without access to a gated repo's files may not commit to a pull request either: under the name of the README,
 * which all may read, they could copy or link any of them.
 */
async function requireTarget(ctx: Ctx, address: RepoAddress): Promise<Repo> {
  const repo = await requireForum(ctx, address, 'repo.open-pull-request')
  authorise(ctx.actor, 'repo.files', repo, policyOf(ctx.config))
  return repo
}

async function openByCommit(
  ctx: Ctx,
  address: RepoAddress,
  input: CommitInput,
  isDraft: boolean,
): Promise<WiderCommitOutcome> {
  const repo = await requireTarget(ctx, address)
  const title = titleOf(input.title)
  const body = commentOf(input.body ?? '', { mayBeEmpty: true })
  const baseRef = `refs/heads/${input.branch ?? repo.defaultBranch}`
  let num = 0
  const made = await commitTo(ctx, repo, input, {
    ref: async (tx) => pullRef((num = await nextNumber(tx, repo.id))),
    alongside: async (tx, { sha, parent = sha }) => {
      const pull = { baseRef, openedOn: parent, isDraft, commit: { sha, subject: title } }
      await insertOpened(tx, ctx, { repoId: repo.id, num, title, body, pull })
    },
  })
  return { ...made, opened: num }
}

async function commitToPullRequest(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  input: CommitInput,
): Promise<CommitOutcome> {
  return commitToPull(ctx, await requirePullToCommit(ctx, address, num), input)
}

/** A pull request that the caller may commit to. */
export interface PullToCommit {
  repo: Repo
  found: PullRequestDiscussion
}

/** Problems `discussions-disabled`, `gated`, `revision-not-found`, `forbidden`, and `state-conflict` unless it is open. */
export async function requirePullToCommit(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
): Promise<PullToCommit> {
  const repo = await requireTarget(ctx, address)
  const found = await findDiscussion(ctx.db, repo.id, num)
  const pull = found?.pull
  if (!pull) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${pullRef(num)}` })
  authoriseAuthor(ctx, repo, found.authorId, 'repo.commit')
  requireOpen(found)
  return { repo, found: { ...found, pull } }
}

/** A commit to a pull request, which its thread tells of; with rows of the caller's in the same transaction. */
export function commitToPull(
  ctx: Ctx,
  { repo, found }: PullToCommit,
  input: CommitInput,
  alongside?: (tx: Tx) => Promise<void>,
): Promise<CommitOutcome> {
  return commitTo(ctx, repo, input, {
    ref: found.pull.ref,
    alongside: async (tx, { sha }) => {
      const now = await findDiscussion(tx, repo.id, found.num)
      requireOpen(now ?? found)
      await addCommitEvent(tx, ctx, found.id, { sha, subject: titleOf(input.title) })
      await setDiscussion(tx, found.id, { updated_at: ctx.now() })
      await alongside?.(tx)
    },
  })
}
