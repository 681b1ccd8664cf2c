import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  max,
  ne,
  notExists,
  type AnyColumn,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import {
  heardEventTypes,
  type DiscussionEventType,
  type NotificationReason,
  type WatchLevel,
} from '../../../../shared/vocabulary.ts'
import type { Tx } from '../../../stores/db/index.ts'

/** As many people as one entry notifies, so that a comment stays a small change. */
const maxNotified = 200

interface Entry {
  id: string
  authorId: string | null
  createdAt: Date
}

interface ThreadEntry extends Entry {
  discussionId: string
  type: DiscussionEventType
}

type Reading = Pick<Tx, 'q' | 't'>

/** Whether the person has not muted the thread. */
const hearsThread = (
  { q, t: { discussion_mutes: mutes } }: Reading,
  userId: AnyColumn,
  thread: string,
): SQL =>
  notExists(
    q
      .select({ id: mutes.user_id })
      .from(mutes)
      .where(and(eq(mutes.discussion_id, thread), eq(mutes.user_id, userId))),
  )

/** Whether the person has not chosen to hear of mentions alone in the repo. */
export const hearsRepo = (
  { q, t: { repo_watches: w } }: Reading,
  userId: AnyColumn,
  repoId: string | SQLWrapper,
): SQL =>
  notExists(
    q
      .select({ id: w.user_id })
      .from(w)
      .where(and(eq(w.repo_id, repoId), eq(w.user_id, userId), eq(w.level, 'ignore'))),
  )

/** Notifies of an entry of a thread: those who wrote in it before or are assigned to it, then those who watch all of the repo. */
export async function notifyOfEntry(tx: Tx, entry: ThreadEntry): Promise<void> {
  if (!heardEventTypes.includes(entry.type)) return
  const { discussions: d } = tx.t
  const [found] = await tx.q.select({ repoId: d.repo_id }).from(d).where(eq(d.id, entry.discussionId))
  if (!found) return
  await notifyThoseTakingPart(tx, entry, found.repoId)
  await notifyAssignees(tx, entry, found.repoId)
  await notifyWatchers(tx, entry, found.repoId, ['all'])
}

/** Notifies of a new discussion: the people whose repo it is, then those who watch the repo. */
export async function notifyOfOpened(tx: Tx, entry: ThreadEntry, repoId: string): Promise<void> {
  await notifyOwners(tx, entry, repoId)
  await notifyWatchers(tx, entry, repoId, ['all', 'discussions'])
}

/** Notifies those who wrote in the thread before, the latest 200, unless they muted it. */
async function notifyThoseTakingPart({ q, t }: Tx, entry: ThreadEntry, repoId: string): Promise<void> {
  const { discussion_events: e } = t
  const people = await q
    .select({ id: e.author_id })
    .from(e)
    .where(
      and(
        eq(e.discussion_id, entry.discussionId),
        isNotNull(e.author_id),
        entry.authorId === null ? undefined : ne(e.author_id, entry.authorId),
        hearsThread({ q, t }, e.author_id, entry.discussionId),
        hearsRepo({ q, t }, e.author_id, repoId),
      ),
    )
    .groupBy(e.author_id)
    .orderBy(desc(max(e.id)))
    .limit(maxNotified)
  await notify({ q, t }, entry, 'taking_part', people)
}

/** Notifies those who are assigned to the thread, who need not have written in it, unless they muted it. */
async function notifyAssignees({ q, t }: Tx, entry: ThreadEntry, repoId: string): Promise<void> {
  const { discussion_assignees: a } = t
  const people = await q
    .select({ id: a.user_id })
    .from(a)
    .where(
      and(
        eq(a.discussion_id, entry.discussionId),
        entry.authorId === null ? undefined : ne(a.user_id, entry.authorId),
        hearsThread({ q, t }, a.user_id, entry.discussionId),
        hearsRepo({ q, t }, a.user_id, repoId),
      ),
    )
  await notify({ q, t }, entry, 'taking_part', people)
}

/** Notifies the latest 200 who watch the repo at one of these levels, unless they muted the thread. */
async function notifyWatchers(
  { q, t }: Tx,
  entry: ThreadEntry,
  repoId: string,
  levels: WatchLevel[],
): Promise<void> {
  const { repo_watches: w } = t
  const people = await q
    .select({ id: w.user_id })
    .from(w)
    .where(
      and(
        eq(w.repo_id, repoId),
        inArray(w.level, levels),
        entry.authorId === null ? undefined : ne(w.user_id, entry.authorId),
        hearsThread({ q, t }, w.user_id, entry.discussionId),
      ),
    )
    .orderBy(desc(w.created_at), desc(w.user_id))
    .limit(maxNotified)
  await notify({ q, t }, entry, 'watching', people)
}

/** Notifies the people whose repo it is of a new discussion: its owner, or those who may write to it; at most 200. */
async function notifyOwners({ q, t }: Tx, entry: Entry, repoId: string): Promise<void> {
  const { repos, namespaces, members, collaborators } = t
  const writing = ['write', 'admin'] as const
  const owners = await q
    .select({ id: namespaces.id })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(eq(repos.id, repoId), eq(namespaces.kind, 'user'), hearsRepo({ q, t }, namespaces.id, repoId)))
  const ofOrg = await q
    .select({ id: members.user_id })
    .from(repos)
    .innerJoin(members, eq(members.org_id, repos.namespace_id))
    .where(
      and(
        eq(repos.id, repoId),
        inArray(members.role, [...writing]),
        hearsRepo({ q, t }, members.user_id, repoId),
      ),
    )
    .orderBy(members.user_id)
    .limit(maxNotified)
  const invited = await q
    .select({ id: collaborators.user_id })
    .from(collaborators)
    .where(
      and(
        eq(collaborators.repo_id, repoId),
        inArray(collaborators.role, [...writing]),
        hearsRepo({ q, t }, collaborators.user_id, repoId),
      ),
    )
    .orderBy(collaborators.user_id)
    .limit(maxNotified)
  const people = [...owners, ...ofOrg, ...invited].filter(({ id }) => id !== entry.authorId)
  await notify({ q, t }, entry, 'repo', people.slice(0, maxNotified))
}

/** Notifies a person whose review is asked for, unless that is who asks. Those who muted the thread hear of it, too. */
export async function notifyRequested({ q, t }: Tx, entry: Entry, userId: string): Promise<void> {
  if (userId !== entry.authorId) await notify({ q, t }, entry, 'review_requested', [{ id: userId }])
}

/** Notifies people who are assigned, unless that is who assigns them. Those who muted the thread hear of it, too. */
export async function notifyAssigned({ q, t }: Tx, entry: Entry, userIds: string[]): Promise<void> {
  const people = userIds.filter((id) => id !== entry.authorId).map((id) => ({ id }))
  await notify({ q, t }, entry, 'assigned', people)
}

/** Those who hear of the entry already keep their reason: the first is the closest. */
async function notify(
  { q, t: { discussion_mentions: m } }: Reading,
  { id, createdAt }: Entry,
  reason: Exclude<NotificationReason, 'mention'>,
  people: { id: string | null }[],
): Promise<void> {
  const ids = new Set(people.flatMap((person) => (person.id === null ? [] : [person.id])))
  if (ids.size === 0) return
  const rows = [...ids].map((user_id) => ({ event_id: id, user_id, reason, created_at: createdAt }))
  await q.insert(m).values(rows).onConflictDoNothing()
}
