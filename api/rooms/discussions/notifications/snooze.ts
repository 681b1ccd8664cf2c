import { and, eq, gt, inArray } from 'drizzle-orm'
import { requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { invalidField } from '../../../platform/problems/index.ts'

/** A year, and a leap day. */
const longestMs = 366 * 86_400_000

/**
 * Puts notifications of the caller away until a moment, from which on they are unread at the top of the list; nothing has to
 * run then, since lists compare times. `null` brings back at once what is put away. Entries that follow in the same thread
 * notify as ever. Problem `validation-failed` unless the moment lies within the next year.
 */
export async function snooze(ctx: Ctx, ids: string[], until: Date | null): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  const now = ctx.now()
  if (until && until <= now) throw invalidField('until', 'must lie in the future', 'too-early')
  if (until && until.getTime() > now.getTime() + longestMs)
    throw invalidField('until', 'must not be more than a year away', 'too-late')
  await ctx.db.write(async ({ q, t: { discussion_mentions: m } }) => {
    const isChosen = and(eq(m.user_id, user.id), inArray(m.event_id, ids))
    await q
      .update(m)
      .set({ snoozed_until: until ?? now, read_at: null })
      .where(until ? isChosen : and(isChosen, gt(m.snoozed_until, now)))
  })
}
