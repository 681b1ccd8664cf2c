import { aliasedTable, and, eq, exists, inArray, lt, notExists, notInArray, or, type SQL } from 'drizzle-orm'
import { mentionsIn } from '../../../../shared/mentions.ts'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { hearsRepo } from './notify.ts'

type Reading = Pick<Tx, 'q' | 't'>

const threadOf = ({ q, t: { discussion_events: e } }: Reading, eventId: string) =>
  q.select({ id: e.discussion_id }).from(e).where(eq(e.id, eventId))

/** Whether the notified person has not muted the thread of the entry. */
function hearsThread(db: Reading, eventId: string): SQL {
  const { discussion_mentions: m, discussion_mutes: mutes } = db.t
  return notExists(
    db.q
      .select({ id: mutes.user_id })
      .from(mutes)
      .where(and(eq(mutes.discussion_id, threadOf(db, eventId)), eq(mutes.user_id, m.user_id))),
  )
}

/** Whether the notified person had written in the thread before the entry or is assigned to it, and wants to hear of it. */
function tookPart(db: Reading, eventId: string) {
  const { discussion_mentions: m, discussion_events: e, discussions: d, discussion_assignees: a } = db.t
  const thread = threadOf(db, eventId)
  const wrote = db.q
    .select({ id: e.id })
    .from(e)
    .where(and(eq(e.discussion_id, thread), eq(e.author_id, m.user_id), lt(e.id, eventId)))
  const repo = db.q.select({ id: d.repo_id }).from(d).where(eq(d.id, thread))
  const assigned = db.q
    .select({ id: a.user_id })
    .from(a)
    .where(and(eq(a.discussion_id, thread), eq(a.user_id, m.user_id)))
  return and(or(exists(wrote), exists(assigned)), hearsThread(db, eventId), hearsRepo(db, m.user_id, repo))
}

/** Whether the notified person watches the repo for entries such as this one, and wants to hear of its thread. */
function watches(db: Reading, eventId: string) {
  const { discussion_mentions: m, discussion_events: e, discussions: d, repo_watches: w } = db.t
  const earlier = aliasedTable(e, 'earlier')
  const opens = notExists(
    db.q
      .select({ id: earlier.id })
      .from(earlier)
      .where(and(eq(earlier.discussion_id, d.id), lt(earlier.id, eventId))),
  )
  const watching = db.q
    .select({ id: w.user_id })
    .from(w)
    .innerJoin(d, eq(d.repo_id, w.repo_id))
    .where(
      and(
        eq(d.id, threadOf(db, eventId)),
        eq(w.user_id, m.user_id),
        or(eq(w.level, 'all'), and(eq(w.level, 'discussions'), opens)),
      ),
    )
  return and(exists(watching), hearsThread(db, eventId))
}

/**
 * Notifies whom a comment mentions, once its text is written. An edit notifies those it adds; those it leaves out see it no
 * longer unless they take part in the thread or watch the repo. What was read stays read. Authors are not notified of their own comments.
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
  for (const [reason, isSo] of [
    ['taking_part', tookPart],
    ['watching', watches],
  ] as const)
    await q
      .update(m)
      .set({ reason })
      .where(and(unnamed, isSo({ q, t }, eventId)))
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
