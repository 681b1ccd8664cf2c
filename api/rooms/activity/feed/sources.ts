import {
  and,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  notExists,
  or,
  type AnyColumn,
  type SQL,
} from 'drizzle-orm'
import type { UserActor } from '../../../core/access/index.ts'
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

/** Namespaces whose repos are the user's: their own and those of organisations they are a member of. */
const inOwn = ({ t: { repos } }: Db, { roles }: UserActor) => inArray(repos.namespace_id, [...roles.keys()])

/** Repos of followed organisations and of the user's namespaces that changed since. */
function ofSpaces(db: Db, viewer: UserActor, since: Date) {
  const { repos } = db.t
  const changed = (isIn: SQL) =>
    db.q
      .select({ id: repos.id })
      .from(repos)
      .where(and(isIn, gte(repos.updated_at, since)))
  return changed(inArray(repos.namespace_id, orgs(db, viewer.id))).union(changed(inOwn(db, viewer)))
}

/** Repos that the user watches, and those of others that they may write to. */
function chosen({ q, t: { repo_watches: w, collaborators: c } }: Db, userId: string) {
  const watched = q
    .select({ id: w.repo_id })
    .from(w)
    .where(and(eq(w.user_id, userId), ne(w.level, 'ignore')))
  const written = q
    .select({ id: c.repo_id })
    .from(c)
    .where(and(eq(c.user_id, userId), inArray(c.role, ['write', 'admin'])))
  return watched.union(written)
}

/**
 * Ids of moves of refs in a time, by people that a user follows, in repos of organisations they follow and in repos where
 * they take part. Each part reads along an index as many rows as there were since.
 */
export function movesFor(
  db: Db,
  viewer: UserActor,
  { since, until }: { since: Date; until: Date | undefined },
) {
  const { git_ref_log: log } = db.t
  const moves = () => db.q.select({ id: log.id }).from(log)
  const inTime = and(gte(log.at, since), until && lt(log.at, until))
  const inRepos = (repos: ReturnType<typeof chosen> | ReturnType<typeof ofSpaces>) =>
    moves().where(and(inArray(log.repo_id, repos), inTime))
  // An id is made once its time is known, so it is not below the first one of that time.
  return moves()
    .where(and(inArray(log.user_id, people(db, viewer.id)), gte(log.id, firstIdAt(since)), inTime))
    .union(inRepos(ofSpaces(db, viewer, since)))
    .union(inRepos(chosen(db, viewer.id)))
}

/** Ids of repos made since, by people that a user follows, in organisations they follow and in those of which they are a member. */
export function createdFor(db: Db, viewer: UserActor, since: Date) {
  const { repos } = db.t
  const made = db.q
    .select({ id: repos.id })
    .from(repos)
    .where(and(inArray(repos.created_by, people(db, viewer.id)), gte(repos.id, firstIdAt(since))))
  return made.union(ofSpaces(db, viewer, since))
}

/** Of what a user wrote in threads so many entries are looked at: the latest. */
const maxWritten = 1000

/** Ids of threads that changed since, in repos where a user takes part, and of those they lately wrote in. */
export function threadsFor(db: Db, viewer: UserActor, since: Date) {
  const { discussions: d, discussion_events: e, repos } = db.t
  const changed = (isIn: SQL) =>
    db.q
      .select({ id: d.id })
      .from(d)
      .where(and(isIn, gte(d.updated_at, since)))
  const own = db.q.select({ id: repos.id }).from(repos).where(inOwn(db, viewer))
  const written = db.q
    .select({ id: e.discussion_id })
    .from(e)
    .where(eq(e.author_id, viewer.id))
    .orderBy(desc(e.id))
    .limit(maxWritten)
    .as('written')
  return changed(inArray(d.repo_id, own))
    .union(changed(inArray(d.repo_id, chosen(db, viewer.id))))
    .union(changed(inArray(d.id, db.q.select({ id: written.id }).from(written))))
}

/** Ids of collections made since, in namespaces that a user follows or is a member of. */
export function collectionsFor({ q, t: { collections: c, follows: f } }: Db, viewer: UserActor, since: Date) {
  const madeIn = (isIn: SQL) =>
    q
      .select({ id: c.id })
      .from(c)
      .where(and(isIn, gte(c.id, firstIdAt(since))))
  const followed = q.select({ id: f.namespace_id }).from(f).where(eq(f.follower_id, viewer.id))
  return madeIn(inArray(c.namespace_id, followed)).union(
    madeIn(inArray(c.namespace_id, [...viewer.roles.keys()])),
  )
}

/** Whether the act is another's than the user's. */
export const isOfOthers = (userId: string, by: AnyColumn): SQL | undefined => or(isNull(by), ne(by, userId))

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
  return and(isOfOthers(userId, by), notExists(ignored))
}
