import { and, eq, gte, inArray, isNull, lt, ne, notExists, or, type AnyColumn, type SQL } from 'drizzle-orm'
import { firstIdAt, type Db } from '../../../stores/db/index.ts'

/** People that a user follows. */
const people = ({ q, t: { follows, users } }: Db, userId: string) =>
  q
    .select({ id: follows.namespace_id })
    .from(follows)
    .innerJoin(users, eq(users.id, follows.namespace_id))
    .where(eq(follows.follower_id, userId))

/** Organisations that a user follows. Their kind would have all organisations looked through. */
const orgs = ({ q, t: { follows, users } }: Db, userId: string) =>
  q
    .select({ id: follows.namespace_id })
    .from(follows)
    .leftJoin(users, eq(users.id, follows.namespace_id))
    .where(and(eq(follows.follower_id, userId), isNull(users.id)))

/** Repos of followed organisations that changed since. */
const ofOrgs = (db: Db, userId: string, since: Date) => {
  const { repos } = db.t
  return db.q
    .select({ id: repos.id })
    .from(repos)
    .where(and(inArray(repos.namespace_id, orgs(db, userId)), gte(repos.updated_at, since)))
}

/**
 * Ids of moves of refs in a time, by people that a user follows, in repos of organisations they follow and in repos they watch.
 * Each part reads along an index as many rows as there were since.
 */
export function movesFor(db: Db, userId: string, { since, until }: { since: Date; until: Date | undefined }) {
  const { git_ref_log: log, repo_watches: w } = db.t
  const moves = () => db.q.select({ id: log.id }).from(log)
  const watched = db.q
    .select({ id: w.repo_id })
    .from(w)
    .where(and(eq(w.user_id, userId), ne(w.level, 'ignore')))
  const inTime = and(gte(log.at, since), until && lt(log.at, until))
  const inRepos = (repos: typeof watched | ReturnType<typeof ofOrgs>) =>
    moves().where(and(inArray(log.repo_id, repos), inTime))
  // An id is made once its time is known, so it is not below the first one of that time.
  return moves()
    .where(and(inArray(log.user_id, people(db, userId)), gte(log.id, firstIdAt(since)), inTime))
    .union(inRepos(ofOrgs(db, userId, since)))
    .union(inRepos(watched))
}

/** Ids of repos made since, by people that a user follows or in organisations they follow. */
export function createdFor(db: Db, userId: string, since: Date) {
  const { repos } = db.t
  const made = db.q
    .select({ id: repos.id })
    .from(repos)
    .where(and(inArray(repos.created_by, people(db, userId)), gte(repos.id, firstIdAt(since))))
  return made.union(ofOrgs(db, userId, since))
}

/** Whether the act is another's than the user's, and its repo none of which they want no news. */
export function isNews(
  { q, t: { repos, repo_watches: w } }: Db,
  userId: string,
  by: AnyColumn,
): SQL | undefined {
  const ignored = q
    .select({ id: w.repo_id })
    .from(w)
    .where(and(eq(w.repo_id, repos.id), eq(w.user_id, userId), eq(w.level, 'ignore')))
  return and(or(isNull(by), ne(by, userId)), notExists(ignored))
}
