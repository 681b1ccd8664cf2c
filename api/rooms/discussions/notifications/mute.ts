import { and, eq } from 'drizzle-orm'
import { requireUser } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Reader } from '../queries.ts'
import type { RepoAddress } from '../../repos/index.ts'
import { requireDiscussion, requireForumToChange } from '../require.ts'

/**
 * Has the caller hear no more of a thread that they take part in, or hear of it again. Those who mention them are still
 * heard. Problems `not-found`, `discussions-disabled`.
 */
export async function muteDiscussion(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  isMuted: boolean,
): Promise<void> {
  await ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const { id: user_id } = requireUser(ctx.actor)
    const { id: discussion_id } = await requireDiscussion(tx, repo, num)
    const { discussion_mutes: m } = tx.t
    if (isMuted)
      await tx.q.insert(m).values({ discussion_id, user_id, created_at: ctx.now() }).onConflictDoNothing()
    else await tx.q.delete(m).where(and(eq(m.discussion_id, discussion_id), eq(m.user_id, user_id)))
  })
}

/** Whether a user has muted a thread. */
export async function isDiscussionMuted(
  { q, t: { discussion_mutes: m } }: Reader,
  discussionId: string,
  userId: string,
): Promise<boolean> {
  return (await q.$count(m, and(eq(m.discussion_id, discussionId), eq(m.user_id, userId)))) > 0
}
