import { and, eq, inArray, isNull } from 'drizzle-orm'
import { requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'

/** Marks notifications of the caller as read: those of these entries, or all. */
export async function markRead(ctx: Ctx, ids?: string[]): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  await ctx.db.write(async ({ q, t: { discussion_mentions: m } }) => {
    await q
      .update(m)
      .set({ read_at: ctx.now() })
      .where(and(eq(m.user_id, user.id), isNull(m.read_at), ids && inArray(m.event_id, ids)))
  })
}
