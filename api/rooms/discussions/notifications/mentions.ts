import { and, eq, exists, inArray, lt, notExists, notInArray } from 'drizzle-orm'
import { mentionsIn } from '../../../../shared/mentions.ts'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'

/** Whether the notified person had written in the thread before the entry, and has not muted it. */
function tookPart({ q, t }: Pick<Tx, 'q' | 't'>, eventId: string) {
  const { discussion_mentions: m, discussion_events: e, discussion_mutes: mutes } = t
  const thread = q.select({ id: e.discussion_id }).from(e).where(eq(e.id, eventId))
  const wrote = q
    .select({ id: e.id })
    .from(e)
    .where(and(eq(e.discussion_id, thread), eq(e.author_id, m.user_id), lt(e.id, eventId)))
  const muted = q
    .select({ id: mutes.user_id })
    .from(mutes)
    .where(and(eq(mutes.discussion_id, thread), eq(mutes.user_id, m.user_id)))
  return and(exists(wrote), notExists(muted))
}

/**
 * Notifies whom a comment mentions, once its text is written. An edit notifies those it adds; those it leaves out see it no
 * longer unless they take part in the thread. What was read stays read. Authors are not notified of their own comments.
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
  const unnamed = and(eq(m.event_id, eventId), eq(m.reason, 'mention'), isGone)
  await q
    .update(m)
    .set({ reason: 'taking_part' })
    .where(and(unnamed, tookPart({ q, t }, eventId)))
  await q.delete(m).where(unnamed)
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
