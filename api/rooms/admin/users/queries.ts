import { and, asc, eq, exists, gt, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db, Tables } from '../../../stores/db/index.ts'
import { usedBytes } from '../../namespaces/index.ts'
import { containing, startingWith } from '../../repos/index.ts'

type UserRow = Tables['users']['$inferSelect'] & { username: string; display_name: string; name_key: string }

/** A user as admins see them. */
export interface AdminUser extends UserRow {
  identities: { provider: string; name: string }[]
  storage_bytes: number
  repo_count: number
  token_count: number
}

/** Which users. */
export interface UserFilter {
  /** Begins the username or the address, or is part of the display name. */
  q?: string | undefined
  admin?: boolean | undefined
  disabled?: boolean | undefined
  /** Has an identity there. */
  provider?: string | undefined
}

function users({ q, t: { users, namespaces: n } }: Db) {
  return q
    .select({ user: users, username: n.name, display_name: n.display_name, name_key: n.name_key })
    .from(users)
    .innerJoin(n, eq(n.id, users.id))
}

/**
 * Users in name order, from the one after the name `after` on. Chosen first and then read: the choice needs the columns of
 * one index alone, so that it does not look up every namespace it passes.
 */
export async function findUsers(
  db: Db,
  filter: UserFilter,
  { after, limit }: { after: string; limit: number },
): Promise<UserRow[]> {
  const { users: u, namespaces: n } = db.t
  const chosen = await Promise.all(
    namedBy(db, filter.q).map((named) =>
      db.q
        .select({ id: n.id, name_key: n.name_key })
        .from(n)
        .innerJoin(u, eq(u.id, n.id))
        .where(and(eq(n.kind, 'user'), gt(n.name_key, after), named, matching(db, filter)))
        .orderBy(asc(n.name_key))
        .limit(limit),
    ),
  )
  // The first of each way are the first of all; keys are in byte order, as the databases sort them.
  const names = new Map(chosen.flat().map(({ id, name_key }) => [name_key, id]))
  const ids = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit)
  if (ids.length === 0) return []
  const rows = await users(db)
    .where(
      inArray(
        u.id,
        ids.map(([, id]) => id),
      ),
    )
    .orderBy(asc(n.name_key))
  return rows.map(({ user, ...row }) => ({ ...user, ...row }))
}

function matching(db: Db, { admin, disabled, provider }: UserFilter): SQL | undefined {
  const { users: u, identities: i } = db.t
  const isAt = () =>
    exists(
      db.q
        .select({ id: i.id })
        .from(i)
        .where(and(eq(i.user_id, u.id), eq(i.provider, provider ?? ''))),
    )
  return and(
    admin === undefined ? undefined : eq(u.is_admin, admin),
    disabled === undefined ? undefined : eq(u.disabled, disabled),
    provider === undefined ? undefined : isAt(),
  )
}

/**
 * The ways in which a word can name a user, each a statement of its own: joined by "or" they keep Postgres 18 from using the
 * index of each (76 ms for 100 000 users, where the slowest alone takes 23).
 */
function namedBy({ t: { users: u, namespaces: n } }: Db, word = ''): (SQL | undefined)[] {
  if (word === '') return [undefined]
  return [
    startingWith(n.name_key, word),
    startingWith(u.email_key, word),
    containing(sql`lower(${n.display_name})`, word),
  ]
}

export async function findUserRow(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await users(db).where(eq(db.t.users.id, id))
  return (
    row && { ...row.user, username: row.username, display_name: row.display_name, name_key: row.name_key }
  )
}

/** What belongs to these users, counted in one statement each. */
export async function withFigures(db: Db, rows: UserRow[]): Promise<AdminUser[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const { identities: i, repos, tokens } = db.t
  const count = sql<number>`count(*)`.mapWith(Number)
  const [used, known, owned, held] = await Promise.all([
    usedBytes(db, ids),
    db.q.select().from(i).where(inArray(i.user_id, ids)).orderBy(asc(i.provider)),
    db.q
      .select({ id: repos.namespace_id, count })
      .from(repos)
      .where(inArray(repos.namespace_id, ids))
      .groupBy(repos.namespace_id),
    db.q
      .select({ id: tokens.user_id, count })
      .from(tokens)
      .where(inArray(tokens.user_id, ids))
      .groupBy(tokens.user_id),
  ])
  const of = (counts: { id: string; count: number }[], id: string) =>
    counts.find((each) => each.id === id)?.count ?? 0
  return rows.map((row) => ({
    ...row,
    identities: known
      .filter(({ user_id }) => user_id === row.id)
      .map(({ provider, name }) => ({ provider, name })),
    storage_bytes: used.get(row.id) ?? 0,
    repo_count: of(owned, row.id),
    token_count: of(held, row.id),
  }))
}
