import {
  aliasedTable,
  and,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNull,
  lt,
  max,
  notExists,
  sql,
} from 'drizzle-orm'
import { heardEventTypes, type DiscussionEventType, type FeedDeed } from '../../../../shared/vocabulary.ts'
import { visibleRepos } from '../../../core/access/index.ts'
import { dayOf, firstIdAt, type Db } from '../../../stores/db/index.ts'
import { repoOf } from '../queries.ts'
import { descriptionOf, type FeedEntry, type FeedWanted } from './entry.ts'
import { isNews, threadsFor } from './sources.ts'

/** Whether the entry is not the one that opened its thread. */
function isLater({ q, t: { discussion_events: e } }: Db) {
  const earlier = aliasedTable(e, 'earlier')
  return exists(
    q
      .select({ id: earlier.id })
      .from(earlier)
      .where(and(eq(earlier.discussion_id, e.discussion_id), lt(earlier.id, e.id))),
  )
}

/** Whether the viewer has not muted the thread. */
const isHeard = ({ q, t: { discussion_mutes: m, discussions: d } }: Db, userId: string) =>
  notExists(
    q
      .select({ id: m.user_id })
      .from(m)
      .where(and(eq(m.discussion_id, d.id), eq(m.user_id, userId))),
  )

/** The last of what others did in each thread on each day, with their comments of the day. */
function lastOfDays(db: Db, { viewer, policy, since, before, count }: FeedWanted) {
  const { discussion_events: e, discussions: d, repos, namespaces } = db.t
  const last = max(e.id)
  return db.q
    .select({
      id: sql<string>`${last}`.as('last'),
      comments: sql<number>`sum(case when ${e.type} = 'comment' and ${isLater(db)} then 1 else 0 end)`
        .mapWith(Number)
        .as('comments'),
    })
    .from(e)
    .innerJoin(d, eq(d.id, e.discussion_id))
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(
      and(
        inArray(e.discussion_id, threadsFor(db, viewer, since)),
        // An id is made once its time is known, so it is not below the first one of that time.
        gte(e.id, firstIdAt(since)),
        gte(e.created_at, since),
        before && lt(e.created_at, before.until),
        inArray(e.type, heardEventTypes),
        isNull(e.hidden_at),
        eq(repos.discussions_enabled, true),
        isNews(db, viewer.id, e.author_id),
        isHeard(db, viewer.id),
        visibleRepos(viewer, db, policy),
      ),
    )
    .groupBy(e.discussion_id, dayOf(e.created_at))
    .having(before && sql`${last} < ${before.id}`)
    .orderBy(sql`${last} desc`)
    .limit(count)
    .as('days')
}

/** What others did in discussions and pull requests: an entry for each thread and day. */
export async function findThreads(db: Db, wanted: FeedWanted): Promise<FeedEntry[]> {
  const { discussion_events: e, discussions: d, repos, namespaces } = db.t
  const authors = aliasedTable(namespaces, 'authors')
  const days = lastOfDays(db, wanted)
  const rows: ThreadRow[] = await db.q
    .select({
      id: e.id,
      at: e.created_at,
      repo: repoOf(db),
      description: descriptionOf(db),
      author: sql<string | null>`${authors.name}`,
      discussion: { num: d.num, kind: d.kind, title: d.title },
      comments: days.comments,
      type: e.type,
      before: e.before,
      after: e.after,
      isLater: sql<boolean>`${isLater(db)}`.mapWith(Boolean),
    })
    .from(days)
    .innerJoin(e, eq(e.id, days.id))
    .innerJoin(d, eq(d.id, e.discussion_id))
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(authors, eq(authors.id, e.author_id))
    .orderBy(desc(e.id))
  return rows.map(({ comments, type, before, after, isLater, ...entry }) => ({
    ...entry,
    commits: 0,
    thread: { deed: deedOf({ type, before, after, isLater }), comments },
  }))
}

interface Done {
  type: DiscussionEventType
  before: string | null
  after: string | null
  isLater: boolean
}

interface ThreadRow extends Omit<FeedEntry, 'commits' | 'thread'>, Done {
  comments: number
}

function deedOf({ type, before, after, isLater }: Done): FeedDeed {
  if (type === 'review') return 'reviewed'
  if (type === 'merge') return 'merged'
  if (type === 'comment') return isLater ? 'commented' : 'opened'
  if (after === 'closed') return 'closed'
  if (after === 'draft') return 'drafted'
  return before === 'draft' ? 'ready' : 'reopened'
}
