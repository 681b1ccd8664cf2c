import { and, desc, eq, inArray, isNotNull, max, ne, notExists } from 'drizzle-orm'
import type { DiscussionEventType, NotificationReason } from '../../../../shared/vocabulary.ts'
import type { Tx } from '../../../stores/db/index.ts'

/** As many people as one entry notifies, so that a comment stays a small change. */
const maxNotified = 200

/** Entries that those who take part in a thread hear of. */
const heard = new Set<DiscussionEventType>(['comment', 'status_change', 'merge', 'review'])

interface Entry {
  id: string
  authorId: string | null
  createdAt: Date
}

/** Notifies those who wrote in the thread before, the latest 200, unless they muted it. */
export async function notifyThoseTakingPart(
  { q, t }: Tx,
  entry: Entry & { discussionId: string; type: DiscussionEventType },
): Promise<void> {
  if (!heard.has(entry.type)) return
  const { discussion_events: e, discussion_mutes: mutes } = t
  const isMuted = q
    .select({ id: mutes.user_id })
    .from(mutes)
    .where(and(eq(mutes.discussion_id, e.discussion_id), eq(mutes.user_id, e.author_id)))
  const people = await q
    .select({ id: e.author_id })
    .from(e)
    .where(
      and(
        eq(e.discussion_id, entry.discussionId),
        isNotNull(e.author_id),
        entry.authorId === null ? undefined : ne(e.author_id, entry.authorId),
        notExists(isMuted),
      ),
    )
    .groupBy(e.author_id)
    .orderBy(desc(max(e.id)))
    .limit(maxNotified)
  await notify({ q, t }, entry, 'taking_part', people)
}

/** Notifies the people whose repo it is of a new discussion: its owner, or those who may write to it; at most 200. */
export async function notifyOwners({ q, t }: Tx, entry: Entry, repoId: string): Promise<void> {
  const { repos, namespaces, members, collaborators } = t
  const writing = ['write', 'admin'] as const
  const owners = await q
    .select({ id: namespaces.id })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(eq(repos.id, repoId), eq(namespaces.kind, 'user')))
  const ofOrg = await q
    .select({ id: members.user_id })
    .from(repos)
    .innerJoin(members, eq(members.org_id, repos.namespace_id))
    .where(and(eq(repos.id, repoId), inArray(members.role, [...writing])))
    .orderBy(members.user_id)
    .limit(maxNotified)
  const invited = await q
    .select({ id: collaborators.user_id })
    .from(collaborators)
    .where(and(eq(collaborators.repo_id, repoId), inArray(collaborators.role, [...writing])))
    .orderBy(collaborators.user_id)
    .limit(maxNotified)
  const people = [...owners, ...ofOrg, ...invited].filter(({ id }) => id !== entry.authorId)
  await notify({ q, t }, entry, 'repo', people.slice(0, maxNotified))
}

/** Notifies a person whose review is asked for, unless that is who asks. Those who muted the thread hear of it, too. */
export async function notifyRequested({ q, t }: Tx, entry: Entry, userId: string): Promise<void> {
  if (userId !== entry.authorId) await notify({ q, t }, entry, 'review_requested', [{ id: userId }])
}

async function notify(
  { q, t: { discussion_mentions: m } }: Pick<Tx, 'q' | 't'>,
  { id, createdAt }: Entry,
  reason: Exclude<NotificationReason, 'mention'>,
  people: { id: string | null }[],
): Promise<void> {
  const ids = new Set(people.flatMap((person) => (person.id === null ? [] : [person.id])))
  if (ids.size === 0) return
  const rows = [...ids].map((user_id) => ({ event_id: id, user_id, reason, created_at: createdAt }))
  await q.insert(m).values(rows).onConflictDoNothing()
}
