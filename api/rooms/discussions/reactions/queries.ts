import { asc, count, eq, inArray, min, sql } from 'drizzle-orm'
import type { Reaction } from '../../../../shared/vocabulary.ts'
import type { Reader } from '../queries.ts'

/** How many reacted to a comment in one way. */
export interface ReactionCount {
  reaction: Reaction
  count: number
  /** Whether the viewer is among them. */
  isMine: boolean
}

/** Reactions by the id of the comment, in the order they first came. */
export type ReactionsByComment = Map<string, ReactionCount[]>

/** The reactions to the comments of a thread, or to one of them. */
export async function listReactions(
  { q, t }: Reader,
  viewerId: string | null,
  of: { discussionId: string } | { eventId: string },
): Promise<ReactionsByComment> {
  const { discussion_reactions: r, discussion_events: e } = t
  const mine = sql<number>`sum(case when ${r.user_id} = ${viewerId ?? ''} then 1 else 0 end)`.mapWith(Number)
  const isOf =
    'eventId' in of
      ? eq(r.event_id, of.eventId)
      : inArray(r.event_id, q.select({ id: e.id }).from(e).where(eq(e.discussion_id, of.discussionId)))
  const rows = await q
    .select({ id: r.event_id, reaction: r.reaction, count: count(), mine })
    .from(r)
    .where(isOf)
    .groupBy(r.event_id, r.reaction)
    .orderBy(asc(min(r.created_at)), asc(r.reaction))
  const found: ReactionsByComment = new Map()
  for (const { id, mine: own, ...row } of rows) {
    const list = found.get(id) ?? []
    list.push({ ...row, isMine: own > 0 })
    found.set(id, list)
  }
  return found
}
