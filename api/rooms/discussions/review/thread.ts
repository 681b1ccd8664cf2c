import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Repo, RepoAddress } from '../../repos/index.ts'
import { auditDiscussion } from '../audit.ts'
import { addEvent, findEvent, type DiscussionEvent } from '../event-queries.ts'
import { setDiscussion, type Discussion } from '../queries.ts'
import { authoriseAuthor, requireForumToChange } from '../require.ts'
import { requireComment, type CommentAddress } from '../require-comment.ts'
import type { Place } from './place.ts'

/** The thread that a comment on these lines answers: the last one about the very same lines that is not resolved. */
export async function openThreadAt(
  { q, t: { discussion_events: e } }: Tx,
  discussionId: string,
  { path, side, line, startLine, fileOid }: Place,
): Promise<string | null> {
  const isThere = and(
    eq(e.discussion_id, discussionId),
    eq(e.path, path),
    eq(e.side, side),
    eq(e.line, line),
    startLine === undefined ? isNull(e.start_line) : eq(e.start_line, startLine),
    eq(e.file_oid, Buffer.from(fileOid, 'hex')),
  )
  const [first] = await q
    .select({ id: e.id })
    .from(e)
    .where(and(isThere, isNull(e.thread_id), isNull(e.resolved_at)))
    .orderBy(desc(e.id))
    .limit(1)
  return first?.id ?? null
}

/**
 * Resolves the thread of a review comment, or reopens it; answers its first comment. Its author and that of the pull
 * request may, and users who may write to the repo. Doing so twice changes nothing. Problems `not-found`, and
 * `state-conflict` for a comment that is on no line.
 */
export async function setResolved(
  ctx: Ctx,
  address: RepoAddress,
  at: CommentAddress,
  isWanted: boolean,
): Promise<DiscussionEvent> {
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const { discussion, found } = await requireComment(tx, repo, at)
    if (found.path === null)
      throw new Problem('state-conflict', { detail: 'It is on no line of a diff, so it has no thread.' })
    const first = await firstOf(tx, discussion.id, found)
    if (ctx.actor.kind !== 'user' || ctx.actor.id !== discussion.authorId)
      authoriseAuthor(ctx, repo, first.authorId, 'repo.edit-discussions')
    const isChanged = await markThread(tx, ctx, { discussion, first: first.id }, isWanted)
    if (isChanged && first.authorId !== actorId(ctx.actor))
      await auditThread(tx, ctx, { repo, discussion, comment: first.id }, isWanted)
    return firstOf(tx, discussion.id, first)
  })
}

const auditThread = (
  tx: Tx,
  ctx: Ctx,
  about: { repo: Repo; discussion: Discussion; comment: string },
  isWanted: boolean,
) => auditDiscussion(tx, ctx, isWanted ? 'comment.resolve' : 'comment.reopen', about)

async function firstOf(
  tx: Tx,
  discussionId: string,
  { id, threadId }: DiscussionEvent,
): Promise<DiscussionEvent> {
  const first = await findEvent(tx, discussionId, threadId ?? id)
  if (!first) throw new Error(`the thread of the comment ${id} is gone`)
  return first
}

/** Marks a thread and notes that in the discussion; answers whether it was not so before. */
export async function markThread(
  tx: Tx,
  ctx: Ctx,
  { discussion, first }: { discussion: Discussion; first: string },
  isResolved: boolean,
): Promise<boolean> {
  const { discussion_events: e } = tx.t
  const now = ctx.now()
  const changed = await tx.q
    .update(e)
    .set({ resolved_at: isResolved ? now : null })
    .where(and(eq(e.id, first), isResolved ? isNull(e.resolved_at) : isNotNull(e.resolved_at)))
    .returning({ id: e.id })
  if (changed.length === 0) return false
  await addEvent(tx, {
    discussion_id: discussion.id,
    type: 'thread_change',
    author_id: actorId(ctx.actor),
    created_at: now,
    before: isResolved ? 'open' : 'resolved',
    after: isResolved ? 'resolved' : 'open',
    thread_id: first,
  })
  await setDiscussion(tx, discussion.id, { updated_at: now })
  return true
}
