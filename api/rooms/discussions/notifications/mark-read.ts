import { and, eq, inArray, isNull } from 'drizzle-orm'
import { requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { isInList } from './list.ts'

/** Marks notifications of the caller as read: those of these entries, or all. What is put away comes back unread. */
export async function markRead(ctx: Ctx, ids?: string[]): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  await ctx.db.write(async ({ q, t }) => {
    const { discussion_mentions: m } = t
    const now = ctx.now()
    await q
      .update(m)
      .set({ read_at: now })
      .where(
        and(eq(m.user_id, user.id), isNull(m.read_at), isInList({ t }, now), ids && inArray(m.event_id, ids)),
      )
  })
}
