import { actorId } from '../../core/access/index.ts'
import { mergeInto } from '../content/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import type { Person, Snapshot } from '../../core/git/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { authorOf, personOf, type Repo, type RepoAddress } from '../repos/index.ts'
import { limits } from '../../../shared/vocabulary.ts'
import { auditDiscussion } from './audit.ts'
import { addComment } from './comment.ts'
import { comparedSides } from './mergeable.ts'
import { addEvent } from './event-queries.ts'
import { publishDiscussion } from './publish.ts'
import { setDiscussion } from './queries.ts'
import { requireApprovals } from './review/approvals.ts'
import {
  commentOf,
  requireForum,
  requireOpen,
  requirePullRequest,
  titleOf,
  type PullRequestDiscussion,
} from './require.ts'

/** How to merge a pull request. */
export interface MergeRequest {
  /** `squash`: one commit on the base. `merge`: a commit with both as its parents. */
  method?: 'squash' | 'merge' | undefined
  /** Of the commit; `{title} (#N)` when left out. */
  title?: string | undefined
  /** Said on the occasion. */
  comment?: string | undefined
  /** Hub clients merge what they opened without commits, which is a draft, and say nothing before. */
  mayBeDraft?: boolean
}

/** Commits that the message of a squash lists. */
const MAX_LISTED = 250
const SHORT_SHA = 7

/**
 * Merges a pull request into its base, keeping its ref. Problems `not-found`, `state-conflict` when it is not open, is
 * a draft, has nothing to merge, or was committed to meanwhile; `branch-protected` without the approvals that its base needs;
 * `merge-conflict` with `paths`.
 */
export async function mergePullRequest(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  { method = 'squash', title, comment, mayBeDraft = false }: MergeRequest = {},
): Promise<{ repo: Repo; discussion: PullRequestDiscussion }> {
  const repo = await requireForum(ctx, address, 'repo.merge')
  const discussion = await requirePullRequest(ctx.db, repo, num)
  requireReady(discussion, mayBeDraft)
  await requireApprovals(ctx, ctx.db, repo, discussion)
  const said = comment?.trim() ? commentOf(comment, { field: 'comment' }) : undefined
  const subject = titleOf(title ?? titleWithNumber(discussion))
  const { pull } = discussion
  const snapshot = await ctx.git.open(repo.id)
  const { base, head } = await comparedSides(ctx, snapshot, pull)
  const list = await listed(snapshot, base, head)
  await mergeInto(ctx, repo, {
    ref: pull.baseRef,
    head,
    isSquash: method === 'squash',
    message: list === '' ? subject : `${subject}\n\n${list}`,
    author: await authorOfPull(ctx, snapshot, discussion, head),
    authorId: discussion.authorId,
    alongside: (tx, made) =>
      settle(tx, ctx, { repo, num, head, said, mayBeDraft, openedOn: pull.openedOn, ...made }),
  })
  return { repo, discussion: await requirePullRequest(ctx.db, repo, num) }
}

/** Problem `state-conflict` unless it is open and, where that matters, no draft. */
function requireReady(discussion: PullRequestDiscussion, mayBeDraft: boolean): void {
  requireOpen(discussion)
  if (mayBeDraft || !discussion.pull.isDraft) return
  throw new Problem('state-conflict', {
    detail: `${discussion.num} is a draft. Mark it as ready before you merge it.`,
  })
}

function titleWithNumber({ title, num }: PullRequestDiscussion): string {
  const end = ` (#${num})`
  return title.slice(0, limits.commitTitle - end.length) + end
}

/** `- subject (sha)` of each commit between the two, oldest first. */
async function listed(snapshot: Snapshot, base: string, head: string): Promise<string> {
  const lines: string[] = []
  for (let at: string | undefined = head; at !== undefined && at !== base && lines.length < MAX_LISTED;) {
    const commit = await snapshot.findCommit(at)
    if (commit) lines.push(`- ${commit.subject} (${at.slice(0, SHORT_SHA)})`)
    at = commit?.parents[0]
  }
  return lines.toReversed().join('\n')
}

/** The user who opened it; if that account is gone, the author of its last commit. */
async function authorOfPull(
  ctx: Ctx,
  snapshot: Snapshot,
  { authorId, author }: PullRequestDiscussion,
  head: string,
): Promise<Person> {
  if (authorId !== null && author !== null) return personOf(ctx, { id: authorId, username: author })
  return (await snapshot.findCommit(head))?.author ?? authorOf(ctx)
}

interface Settled {
  repo: Repo
  num: number
  head: string
  commit: string
  mergeBase: string | undefined
  openedOn: string
  said: string | undefined
  mayBeDraft: boolean
}

/** The pull request's side of the transaction that moves the base. */
async function settle(
  tx: Tx,
  ctx: Ctx,
  { repo, num, head, said, mayBeDraft, ...made }: Settled,
): Promise<void> {
  const now = await requirePullRequest(tx, repo, num)
  requireReady(now, mayBeDraft)
  if (now.pull.head !== head)
    throw new Problem('state-conflict', { detail: 'Somebody has just committed to it; look at it again.' })
  await requireApprovals(ctx, tx, repo, now)
  if (said !== undefined) await addComment(tx, ctx, now, said)
  const at = ctx.now()
  await setDiscussion(tx, now.id, {
    status: 'closed',
    is_draft: false,
    updated_at: at,
    merged_at: at,
    merge_oid: Buffer.from(made.commit, 'hex'),
    merged_base_oid: Buffer.from(made.mergeBase ?? made.openedOn, 'hex'),
    merged_head_oid: Buffer.from(head, 'hex'),
  })
  await addEvent(tx, {
    discussion_id: now.id,
    type: 'merge',
    author_id: actorId(ctx.actor),
    created_at: at,
    commit_oid: Buffer.from(made.commit, 'hex'),
  })
  const after = { commit: made.commit, base: now.pull.baseRef }
  await auditDiscussion(tx, ctx, 'pull_request.merge', { repo, discussion: now }, { after })
  await publishDiscussion(tx, ctx, { repoId: repo.id, num, action: 'update' })
}
