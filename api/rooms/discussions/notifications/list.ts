import {
  aliasedTable,
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  isNull,
  lt,
  lte,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import type {
  DiscussionEventType,
  DiscussionKind,
  NotificationReason,
  RepoType,
  ReviewVerdict,
} from '../../../../shared/vocabulary.ts'
import { policyOf, requireAccount, visibleRepos } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { plainText } from '../../../core/metadata/index.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { shownAt } from './tables.ts'

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
  /** When it comes back, or came back. */
  snoozedUntil: Date | null
  /** How a comment begins, as plain text, and of a review its first one; empty of other entries. */
  excerpt: string
}

/** Characters of a comment that a notification shows. */
const maxExcerpt = 240
/** Characters that are read for them, since the marks of Markdown are left out. */
const maxRead = 1000

const excerptOf = (beginning: string) => Array.from(plainText(beginning)).slice(0, maxExcerpt).join('')

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

/** Where a notification stands in the list: since when, in milliseconds, and the id of its entry. */
export type NotificationPlace = [shownAt: number, id: string]

interface NotificationQuery {
  /** Of the last one of the page before. */
  after?: NotificationPlace | undefined
  limit: number
  isUnread?: boolean
  reason?: NotificationReason | undefined
  /** Those that are put away, in place of the others. */
  isSnoozed?: boolean
}

const placeOf = ({ id, createdAt, snoozedUntil }: Notification): NotificationPlace => [
  (snoozedUntil ?? createdAt).getTime(),
  id,
]

/** Whether a notification is put away at this moment. */
const isPutAway = ({ db, now }: Ctx): SQL => gt(db.t.discussion_mentions.snoozed_until, now())

/** Whether a notification is in the list at this moment. */
export const isInList = ({ t }: Pick<Ctx['db'], 't'>, now: Date): SQL | undefined => {
  const { snoozed_until } = t.discussion_mentions
  return or(isNull(snoozed_until), lte(snoozed_until, now))
}

/** What comes behind a place. The first condition is implied, and is what an index is entered by. */
function behind({ t }: Ctx['db'], [at, id]: NotificationPlace, isSnoozed: boolean): SQL | undefined {
  const { discussion_mentions: m } = t
  const key = shownAt(m)
  const place = sql.param(new Date(at), m.created_at)
  const [beyond, orAt] = isSnoozed ? [gt, gte] : [lt, lte]
  return and(orAt(key, place), or(beyond(key, place), beyond(m.event_id, id)))
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

/**
 * A page of the caller's notifications, newest first. One that was put away stands where it came back; those that are put away
 * now are sorted by when they come back, the next one first.
 */
export async function listNotifications(
  ctx: Ctx,
  { after, limit, isUnread = false, reason, isSnoozed = false }: NotificationQuery,
): Promise<Page<Notification, NotificationPlace>> {
  const user = requireAccount(ctx.actor, 'read')
  const { discussion_mentions: m, discussion_events: e, discussions: d, repos, namespaces } = ctx.db.t
  const authors = aliasedTable(namespaces, 'authors')
  const order = isSnoozed ? asc : desc
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
        snoozedUntil: m.snoozed_until,
        excerpt: sql<string>`coalesce(substr(coalesce(${e.body}, ${firstOfReview(ctx.db)}), 1, ${maxRead}), '')`,
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
          isSnoozed ? isPutAway(ctx) : isInList(ctx.db, ctx.now()),
          after && behind(ctx.db, after, isSnoozed),
        ),
      )
      .orderBy(order(shownAt(m)), order(m.event_id))
      .limit(n)
  const shown = async (n: number) => {
    const found: Notification[] = await rows(n)
    return found.map((row) => ({ ...row, excerpt: excerptOf(row.excerpt) }))
  }
  return readPage<Notification, NotificationPlace>(limit, shown, placeOf)
}

/** How many of the caller's notifications are unread and not put away, up to `most`. */
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
    .where(and(isTheirs(ctx, user.id), isNull(m.read_at), isInList(ctx.db, ctx.now())))
    .limit(most)
    .as('unread')
  const [row] = await ctx.db.q.select({ n: count() }).from(unread)
  return row?.n ?? 0
}
