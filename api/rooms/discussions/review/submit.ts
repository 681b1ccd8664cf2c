import type { ReviewVerdict } from '../../../../shared/vocabulary.ts'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { RepoAddress } from '../../repos/index.ts'
import { addComment, written } from '../comment.ts'
import { addEvent, type DiscussionEvent } from '../event-queries.ts'
import { notifyMentioned } from '../notifications/mentions.ts'
import { publishDiscussion } from '../publish.ts'
import { setDiscussion } from '../queries.ts'
import {
  commentOf,
  requireForumToChange,
  requireOpen,
  requirePullRequest,
  type PullRequestDiscussion,
} from '../require.ts'
import { findPlaces, requireHead, type Place, type WantedPlace } from './place.ts'
import { removeRequest } from './requests.ts'

/** What a reviewer says of a pull request at once. */
export interface WantedReview {
  verdict: ReviewVerdict
  /** The head that the reviewer has seen, 40-hex. */
  head: string
  body?: string | undefined
  comments: readonly { place: Omit<WantedPlace, 'commit'>; body: string }[]
}

/**
 * Writes a review and its comments, and notifies people once. Whose review was asked for has given it then. Problems
 * `not-found`, `forbidden` for a verdict on what one has opened oneself, `validation-failed`, `state-conflict` when the pull
 * request has moved on or a verdict comes after it was closed, and those of `findPlace`.
 */
export async function submitReview(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  { verdict, head, body = '', comments }: WantedReview,
): Promise<DiscussionEvent> {
  const text = commentOf(body, { mayBeEmpty: true })
  const texts = comments.map((each, i) => commentOf(each.body, { field: `comments.${i}.body` }))
  if (verdict !== 'approve' && text.trim() === '' && texts.length === 0)
    throw invalidField('body', 'must say something, unless a comment on the changes does', 'empty')
  const places = await findPlaces(
    ctx,
    address,
    num,
    comments.map(({ place }) => ({ ...place, commit: head })),
  )
  const said: Said[] = texts.map((each, i) => ({ text: each, place: places[i] }))
  if (text.trim() !== '') said.unshift({ text, place: undefined })
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const discussion = await requirePullRequest(tx, repo, num)
    if (verdict !== 'comment') requireVerdict(ctx, discussion)
    requireHead(discussion.pull.head, head)
    return addReview(tx, ctx, discussion, { verdict, said })
  })
}

interface Said {
  text: string
  place: Place | undefined
}

/** Problems `state-conflict` for a closed pull request, `forbidden` for its author. */
function requireVerdict({ actor }: Ctx, discussion: PullRequestDiscussion): void {
  requireOpen(discussion)
  if (actorId(actor) !== discussion.authorId) return
  throw new Problem('forbidden', {
    detail:
      'You opened this pull request, so you can neither approve it nor request changes. Send your review as a comment.',
  })
}

async function addReview(
  tx: Tx,
  ctx: Ctx,
  discussion: PullRequestDiscussion,
  { verdict, said }: { verdict: ReviewVerdict; said: Said[] },
): Promise<DiscussionEvent> {
  const { id, repoId, num, pull } = discussion
  const now = ctx.now()
  const author_id = actorId(ctx.actor)
  const reviewId = await addEvent(tx, {
    discussion_id: id,
    type: 'review',
    author_id,
    created_at: now,
    commit_oid: Buffer.from(pull.head, 'hex'),
    verdict,
  })
  for (const { text, place } of said) await addComment(tx, ctx, discussion, text, { place, reviewId })
  await notifyMentioned(tx, ctx, reviewId, said.map(({ text }) => text).join('\n\n'))
  if (author_id !== null) await removeRequest(tx, id, author_id)
  await setDiscussion(tx, id, { updated_at: now })
  await publishDiscussion(tx, ctx, { repoId, num, action: 'update' })
  return written(tx, id, reviewId)
}
