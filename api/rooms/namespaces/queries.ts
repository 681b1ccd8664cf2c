import { and, asc, count, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { visibleCollections, visibleRepos, type Actor, type Policy } from '../../core/access/index.ts'
import type { Reads, Tables, Tx } from '../../stores/db/index.ts'
import { namePattern, type Role } from '../../../shared/vocabulary.ts'
import { nameKey } from './names.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

export type NamespaceRow = Tables['namespaces']['$inferSelect']
export type MemberRow = Tables['members']['$inferSelect']
/** A user with what their namespace says of them. */
export type User = Tables['users']['$inferSelect'] &
  Pick<NamespaceRow, 'display_name' | 'default_visibility'> & { username: string }

/** The user or organisation called `name`, in any case. */
export async function findNamespace({ q, t }: Reader, name: string): Promise<NamespaceRow | undefined> {
  if (!namePattern.test(name)) return undefined
  const [row] = await q
    .select()
    .from(t.namespaces)
    .where(eq(t.namespaces.name_key, nameKey(name)))
  return row
}

function users({ q, t }: Reader) {
  const { name, display_name, default_visibility } = t.namespaces
  return q
    .select({ ...getTableColumns(t.users), username: name, display_name, default_visibility })
    .from(t.users)
    .innerJoin(t.namespaces, eq(t.namespaces.id, t.users.id))
}

/** The user called `username`, in any case. */
export async function findUser(db: Reader, username: string): Promise<User | undefined> {
  if (!namePattern.test(username)) return undefined
  const [user] = await users(db).where(eq(db.t.namespaces.name_key, nameKey(username)))
  return user
}

export async function findUserById(db: Reader, id: string): Promise<User | undefined> {
  const [user] = await users(db).where(eq(db.t.users.id, id))
  return user
}

/** The user whose confirmed address is `email`, in any case. A pending address matches no user. */
export async function findUserByEmail(db: Reader, email: string): Promise<User | undefined> {
  const [user] = await users(db).where(eq(db.t.users.email_key, emailKey(email)))
  return user
}

/** Email addresses are compared by this. */
export const emailKey = (email: string): string => email.toLowerCase()

/** Whether this instance has no admin yet. */
export async function hasNoAdmin({ q, t: { users } }: Reader): Promise<boolean> {
  const rows = await q.select({ id: users.id }).from(users).where(eq(users.is_admin, true)).limit(1)
  return rows.length === 0
}

/** An organisation with the role a user has there. */
export interface Organisation {
  id: string
  ns: string
  display_name: string
  role: Role
}

/** The organisations a user is a member of, by name. */
export async function organisationsOf({ q, t }: Reader, userId: string): Promise<Organisation[]> {
  return q
    .select({
      ns: t.namespaces.name,
      display_name: t.namespaces.display_name,
      role: t.members.role,
      id: t.namespaces.id,
    })
    .from(t.members)
    .innerJoin(t.namespaces, eq(t.namespaces.id, t.members.org_id))
    .where(eq(t.members.user_id, userId))
    .orderBy(asc(t.namespaces.name_key))
}

/** A member as others see them. */
export interface Member {
  username: string
  display_name: string
  role: Role
  joined_at: Date
  source: string
  user_id: string
  name_key: string
}

function memberRows({ q, t }: Reader) {
  const { name, display_name, name_key } = t.namespaces
  const { role, joined_at, source, user_id } = t.members
  return q
    .select({ username: name, display_name, role, joined_at, source, user_id, name_key })
    .from(t.members)
    .innerJoin(t.namespaces, eq(t.namespaces.id, t.members.user_id))
}

/** Members of an organisation in name order, after the name `after`. */
export async function findMembers(
  db: Reader,
  orgId: string,
  page: { after?: string | undefined; limit: number },
): Promise<Member[]> {
  const { members, namespaces } = db.t
  return memberRows(db)
    .where(
      and(
        eq(members.org_id, orgId),
        page.after === undefined ? undefined : gt(namespaces.name_key, page.after),
      ),
    )
    .orderBy(asc(namespaces.name_key))
    .limit(page.limit)
}

export async function findMember(db: Reader, orgId: string, username: string): Promise<Member | undefined> {
  if (!namePattern.test(username)) return undefined
  const { members, namespaces } = db.t
  const [member] = await memberRows(db).where(
    and(eq(members.org_id, orgId), eq(namespaces.name_key, nameKey(username))),
  )
  return member
}

/** Whether somebody besides `userId` holds `admin` in the organisation. */
export async function hasOtherAdmin(
  { q, t: { members } }: Reader,
  orgId: string,
  userId: string,
): Promise<boolean> {
  const admins = await q
    .select({ user_id: members.user_id })
    .from(members)
    .where(and(eq(members.org_id, orgId), eq(members.role, 'admin')))
  return admins.some((admin) => admin.user_id !== userId)
}

/**
 * Holds the namespace's row until the transaction ends, so that decisions over its members and repos are made one
 * after the other on Postgres too. `undefined` when it is gone.
 */
export async function lockNamespace(
  { q, t: { namespaces } }: Tx,
  id: string,
): Promise<NamespaceRow | undefined> {
  const [row] = await q
    .update(namespaces)
    .set({ name_key: sql`${namespaces.name_key}` })
    .where(eq(namespaces.id, id))
    .returning()
  return row
}

/** Whether the namespace is the user's own, or an organisation they are a member of; instance admins count as members. */
export async function isMemberOf({ q, t }: Reader, namespaceId: string, userId: string): Promise<boolean> {
  const { users, members } = t
  const [row] = await q
    .select({ isAdmin: users.is_admin, member: members.user_id })
    .from(users)
    .leftJoin(members, and(eq(members.user_id, users.id), eq(members.org_id, namespaceId)))
    .where(eq(users.id, userId))
  return row !== undefined && (userId === namespaceId || row.isAdmin || row.member !== null)
}

/** How many repos of each type, collections and members `actor` may see of a namespace. */
export async function countsOf({ q, t }: Reader, actor: Actor, policy: Policy, ns: NamespaceRow) {
  const { repos, collections, namespaces, members } = t
  const rows = await q
    .select({ type: repos.type, n: count() })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(eq(repos.namespace_id, ns.id), visibleRepos(actor, { q, t }, policy)))
    .groupBy(repos.type)
  const of = (type: 'model' | 'dataset') => rows.find((row) => row.type === type)?.n ?? 0
  const [shown] = await q
    .select({ n: count() })
    .from(collections)
    .innerJoin(namespaces, eq(namespaces.id, collections.namespace_id))
    .where(and(eq(collections.namespace_id, ns.id), visibleCollections(actor, t, policy)))
  const people = ns.kind === 'org' ? await q.$count(members, eq(members.org_id, ns.id)) : undefined
  return {
    models: of('model'),
    datasets: of('dataset'),
    collections: shown?.n ?? 0,
    ...(people === undefined ? {} : { members: people }),
  }
}

/** What the namespace owns: repos (soft-deleted ones included, which can still be restored to it) and collections. */
export async function holdingsOf(
  { q, t: { repos, collections } }: Reader,
  namespaceId: string,
): Promise<{ repos: number; collections: number }> {
  return {
    repos: await q.$count(repos, eq(repos.namespace_id, namespaceId)),
    collections: await q.$count(collections, eq(collections.namespace_id, namespaceId)),
  }
}
