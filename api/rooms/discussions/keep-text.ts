import { and, asc, eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { keepUses } from './attachments/uses.ts'
import { notifyMentioned } from './notifications/mentions.ts'

interface Written {
  id: string
  repoId: string
  discussionId: string
  /** The review that the comment was sent with. */
  reviewId?: string | null
}

/**
 * Enters what the text of a comment names, once it is written: images and people. Whom a comment of a review mentions is
 * notified of the review, once for all its comments.
 */
export async function keepText(tx: Tx, ctx: Ctx, comment: Written, text: string): Promise<void> {
  await keepUses(tx, ctx, comment, text)
  const { id, reviewId } = comment
  if (reviewId) await notifyMentioned(tx, ctx, reviewId, await textOfReview(tx, comment, reviewId))
  else await notifyMentioned(tx, ctx, id, text)
}

async function textOfReview(
  { q, t: { discussion_events: e } }: Tx,
  { discussionId }: Written,
  reviewId: string,
): Promise<string> {
  const rows = await q
    .select({ body: e.body })
    .from(e)
    .where(and(eq(e.discussion_id, discussionId), eq(e.review_id, reviewId)))
    .orderBy(asc(e.id))
  return rows.map(({ body }) => body ?? '').join('\n\n')
}
