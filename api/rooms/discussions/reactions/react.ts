import { and, eq } from 'drizzle-orm'
import type { Reaction } from '../../../../shared/vocabulary.ts'
import { requireUser } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { RepoAddress } from '../../repos/index.ts'
import { requireComment, type CommentAddress } from '../require-comment.ts'
import { requireForumToChange } from '../require.ts'
import { listReactions, type ReactionCount } from './queries.ts'

/**
 * Adds a reaction of the caller's to a comment, or takes it back; doing so twice changes nothing. Answers all reactions.
 * Problems `not-found`, `discussions-disabled`, `state-conflict` for a hidden comment.
 */
export async function react(
  ctx: Ctx,
  address: RepoAddress,
  at: CommentAddress & { reaction: Reaction },
  isWanted: boolean,
): Promise<ReactionCount[]> {
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const user = requireUser(ctx.actor)
    const { found } = await requireComment(tx, repo, at)
    if (found.hiddenAt)
      throw new Problem('state-conflict', { detail: 'A hidden comment takes no reactions.' })
    const { discussion_reactions: r } = tx.t
    const own = { event_id: found.id, user_id: user.id, reaction: at.reaction }
    if (isWanted)
      await tx.q
        .insert(r)
        .values({ ...own, created_at: ctx.now() })
        .onConflictDoNothing()
    else
      await tx.q
        .delete(r)
        .where(and(eq(r.event_id, own.event_id), eq(r.user_id, own.user_id), eq(r.reaction, own.reaction)))
    return (await listReactions(tx, user.id, { eventId: found.id })).get(found.id) ?? []
  })
}
