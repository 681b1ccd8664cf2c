import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { mentionsIn } from '../../../../shared/mentions.ts'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'

/**
 * Notifies whom a comment mentions, once its text is written. An edit notifies those it adds, and those it leaves out see
 * it no longer; what was read stays read. Authors are not notified of their own comments.
 */
export async function notifyMentioned({ q, t }: Tx, ctx: Ctx, eventId: string, text: string): Promise<void> {
  const { discussion_mentions: m, namespaces } = t
  const named = mentionsIn(text)
  const people =
    named.length === 0
      ? []
      : await q
          .select({ id: namespaces.id })
          .from(namespaces)
          .where(and(inArray(namespaces.name_key, named), eq(namespaces.kind, 'user')))
  const ids = people.map(({ id }) => id).filter((id) => id !== actorId(ctx.actor))
  const isGone = ids.length > 0 ? notInArray(m.user_id, ids) : undefined
  await q.delete(m).where(and(eq(m.event_id, eventId), eq(m.reason, 'mention'), isGone))
  if (ids.length === 0) return
  const rows = ids.map((user_id) => ({
    event_id: eventId,
    user_id,
    reason: 'mention' as const,
    created_at: ctx.now(),
  }))
  // Of those who hear of it anyway it is the better reason.
  await q
    .insert(m)
    .values(rows)
    .onConflictDoUpdate({ target: [m.event_id, m.user_id], set: { reason: 'mention' } })
}
