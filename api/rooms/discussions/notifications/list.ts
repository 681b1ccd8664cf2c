import { aliasedTable, and, asc, count, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type {
  DiscussionEventType,
  DiscussionKind,
  NotificationReason,
  RepoType,
  ReviewVerdict,
} from '../../../../shared/vocabulary.ts'
import { policyOf, requireAccount, visibleRepos } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'

/** An entry of a thread that the caller is notified of. */
export interface Notification {
  /** Of the entry. */
  id: string
  reason: NotificationReason
  type: DiscussionEventType
  /** Of a change of status. */
  to: string | null
  /** Of a review. */
  verdict: ReviewVerdict | null
  repo: { type: RepoType; ns: string; name: string }
  num: number
  kind: DiscussionKind
  title: string
  /** Username; `null` when the account is gone. */
  author: string | null
  createdAt: Date
  readAt: Date | null
  /** How a comment begins, and of a review its first one; empty of other entries. */
  excerpt: string
}

/** Characters of a comment that a notification shows. */
const maxExcerpt = 240

/** Entries that the caller is notified of, in repos that they may see now. */
function isTheirs({ db, actor, config }: Ctx, userId: string) {
  const { discussion_mentions: m, discussion_events: e, repos } = db.t
  return and(
    eq(m.user_id, userId),
    isNull(e.hidden_at),
    eq(repos.discussions_enabled, true),
    visibleRepos(actor, db, policyOf(config)),
  )
}

interface NotificationQuery {
  /** Id of the last entry of the page before. */
  before?: string | undefined
  limit: number
  isUnread?: boolean
  reason?: NotificationReason | undefined
}

/** What the first comment of a review says that is not hidden. */
function firstOfReview({ q, t: { discussion_events: e } }: Ctx['db']) {
  const of = aliasedTable(e, 'of_review')
  const isShown = and(eq(of.discussion_id, e.discussion_id), gt(of.id, e.id), isNull(of.hidden_at))
  return q
    .select({ body: of.body })
    .from(of)
    .where(and(eq(e.type, 'review'), eq(of.review_id, e.id), isShown))
    .orderBy(asc(of.id))
    .limit(1)
}

/** A page of the caller's notifications, newest first. */
export async function listNotifications(
  ctx: Ctx,
  { before, limit, isUnread = false, reason }: NotificationQuery,
): Promise<Page<Notification, string>> {
  const user = requireAccount(ctx.actor, 'read')
  const { discussion_mentions: m, discussion_events: e, discussions: d, repos, namespaces } = ctx.db.t
  const authors = aliasedTable(namespaces, 'authors')
  const rows = (n: number) =>
    ctx.db.q
      .select({
        id: e.id,
        reason: m.reason,
        type: e.type,
        to: e.after,
        verdict: e.verdict,
        repo: { type: repos.type, ns: namespaces.name, name: repos.name },
        num: d.num,
        kind: d.kind,
        title: d.title,
        author: sql<string | null>`${authors.name}`,
        createdAt: m.created_at,
        readAt: m.read_at,
        excerpt: sql<string>`coalesce(substr(coalesce(${e.body}, ${firstOfReview(ctx.db)}), 1, ${maxExcerpt}), '')`,
      })
      .from(m)
      .innerJoin(e, eq(e.id, m.event_id))
      .innerJoin(d, eq(d.id, e.discussion_id))
      .innerJoin(repos, eq(repos.id, d.repo_id))
      .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
      .leftJoin(authors, eq(authors.id, e.author_id))
      .where(
        and(
          isTheirs(ctx, user.id),
          isUnread ? isNull(m.read_at) : undefined,
          reason === undefined ? undefined : eq(m.reason, reason),
          before === undefined ? undefined : lt(m.event_id, before),
        ),
      )
      .orderBy(desc(m.event_id))
      .limit(n)
  return readPage<Notification, string>(limit, rows, ({ id }) => id)
}

/** How many of the caller's notifications are unread, up to `most`. */
export async function countUnread(ctx: Ctx, most: number): Promise<number> {
  const user = requireAccount(ctx.actor, 'read')
  const { discussion_mentions: m, discussion_events: e, discussions: d, repos, namespaces } = ctx.db.t
  const unread = ctx.db.q
    .select({ id: e.id })
    .from(m)
    .innerJoin(e, eq(e.id, m.event_id))
    .innerJoin(d, eq(d.id, e.discussion_id))
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(isTheirs(ctx, user.id), isNull(m.read_at)))
    .limit(most)
    .as('unread')
  const [row] = await ctx.db.q.select({ n: count() }).from(unread)
  return row?.n ?? 0
}
