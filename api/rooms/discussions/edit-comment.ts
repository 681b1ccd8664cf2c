import { eq, sql } from 'drizzle-orm'
import { actorId } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { RepoAddress } from '../repos/index.ts'
import { keepText } from './keep-text.ts'
import { auditDiscussion } from './audit.ts'
import { written } from './comment.ts'
import type { DiscussionEvent } from './event-queries.ts'
import { publishDiscussion } from './publish.ts'
import { authoriseAuthor, commentOf, requireForumToChange } from './require.ts'
import { requireComment, type CommentAddress } from './require-comment.ts'

/**
 * Changes the text of a comment. Its author may, and users who may write to the repo. How often that happened is
 * kept, former texts are not. Problems `not-found`, `state-conflict` for a hidden one, `validation-failed`.
 */
export async function editComment(
  ctx: Ctx,
  address: RepoAddress,
  at: CommentAddress,
  text: string,
): Promise<DiscussionEvent> {
  const body = commentOf(text)
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const { discussion, found } = await requireComment(tx, repo, at)
    authoriseAuthor(ctx, repo, found.authorId, 'repo.edit-discussions')
    if (found.hiddenAt) throw new Problem('state-conflict', { detail: 'A hidden comment cannot be edited.' })
    const { discussion_events: e } = tx.t
    await tx.q
      .update(e)
      .set({ body, edits: sql`${e.edits} + 1`, edited_at: ctx.now(), edited_by: actorId(ctx.actor) })
      .where(eq(e.id, found.id))
    await keepText(tx, ctx, { ...found, repoId: repo.id, discussionId: discussion.id }, body)
    if (found.authorId !== actorId(ctx.actor))
      await auditDiscussion(tx, ctx, 'comment.edit', { repo, discussion, comment: found.id })
    await publishDiscussion(tx, ctx, { ...discussion, action: 'update', comment: found.id })
    return written(tx, discussion.id, found.id)
  })
}

/** Hides a comment for good: its text is erased. For admins of the repo. Doing so twice changes nothing. */
export async function hideComment(
  ctx: Ctx,
  address: RepoAddress,
  at: CommentAddress,
): Promise<DiscussionEvent> {
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.hide-comments')
    const { discussion, found } = await requireComment(tx, repo, at)
    if (found.hiddenAt) return found
    const { discussion_events: e } = tx.t
    await tx.q.update(e).set({ body: '', excerpt: null, hidden_at: ctx.now() }).where(eq(e.id, found.id))
    await keepText(tx, ctx, { ...found, repoId: repo.id, discussionId: discussion.id }, '')
    await auditDiscussion(tx, ctx, 'comment.hide', { repo, discussion, comment: found.id })
    await publishDiscussion(tx, ctx, { ...discussion, action: 'update', comment: found.id })
    return written(tx, discussion.id, found.id)
  })
}
