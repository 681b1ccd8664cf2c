import { and, count, desc, eq, gte } from 'drizzle-orm'
import { authoriseProfile, policyOf, visibleRepos } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { dayOf, firstIdAt } from '../../stores/db/index.ts'
import { requireNamedUser } from '../namespaces/index.ts'
import { isCreatedBy, isMovedBy, isOpenedBy } from './kinds.ts'

const DAY_MS = 86_400_000
const WEEKS = 53
/** Of each kind, the newest: a script may have made many more. One beyond them tells that there are more. */
const MOST_ENTRIES = 50_000

/** How much a person did on each UTC day of 53 weeks, which begin on Mondays; `to` is today. */
export interface ActivityDays {
  from: string
  to: string
  total: number
  /** Older entries were not counted. */
  isPartial: boolean
  /** Days with something, the oldest first. */
  days: { date: string; count: number }[]
}

/**
 * Counts by day what `listUserActivity` lists to the caller. Of each kind, the newest `most` entries are counted.
 * Problems: `unauthenticated`, `not-found`.
 */
export async function countActivityDays(
  ctx: Ctx,
  username: string,
  most = MOST_ENTRIES,
): Promise<ActivityDays> {
  authoriseProfile(ctx.actor, username, policyOf(ctx.config))
  const user = await requireNamedUser(ctx.db, username)
  const today = Math.floor(ctx.now().getTime() / DAY_MS)
  const first = firstDay(today)
  const perDay = new Map<number, number>()
  let isPartial = false
  for (const rows of await countKinds(ctx, user.id, { since: new Date(first * DAY_MS), limit: most + 1 })) {
    for (const row of rows) perDay.set(row.day, (perDay.get(row.day) ?? 0) + row.count)
    if (rows.reduce((sum, row) => sum + row.count, 0) > most) isPartial = true
  }
  const days = [...perDay].filter(([day]) => day >= first && day <= today).toSorted(([a], [b]) => a - b)
  return {
    from: dateOf(first),
    to: dateOf(today),
    total: days.reduce((sum, [, n]) => sum + n, 0),
    isPartial,
    days: days.map(([day, n]) => ({ date: dateOf(day), count: n })),
  }
}

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The Monday with which the weeks begin. The epoch began on a Thursday. */
const firstDay = (today: number) => today - ((today + 3) % 7) - (WEEKS - 1) * 7

interface DayCount {
  day: number
  count: number
}

/** The newest entries of each kind by day. */
async function countKinds(
  { actor, config, db }: Ctx,
  userId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<DayCount[][]> {
  const { git_ref_log: log, repos, discussions: d, namespaces } = db.t
  const firstId = firstIdAt(since)
  const seen = visibleRepos(actor, db, policyOf(config))
  const created = db.q
    .select({ at: repos.created_at })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(isCreatedBy(db, userId), gte(repos.id, firstId), seen))
    .orderBy(desc(repos.id))
    .limit(limit)
    .as('entries')
  const moves = db.q
    .select({ at: log.at })
    .from(log)
    .innerJoin(repos, eq(repos.id, log.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(isMovedBy(db, userId), gte(log.id, firstId), seen))
    .orderBy(desc(log.id))
    .limit(limit)
    .as('entries')
  const opened = db.q
    .select({ at: d.created_at })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(isOpenedBy(db, userId), gte(d.id, firstId), seen))
    .orderBy(desc(d.id))
    .limit(limit)
    .as('entries')
  return Promise.all([
    db.q.select(dayCount(created.at)).from(created).groupBy(dayOf(created.at)),
    db.q.select(dayCount(moves.at)).from(moves).groupBy(dayOf(moves.at)),
    db.q.select(dayCount(opened.at)).from(opened).groupBy(dayOf(opened.at)),
  ])
}

const dayCount = (time: Parameters<typeof dayOf>[0]) => ({ day: dayOf(time).mapWith(Number), count: count() })
