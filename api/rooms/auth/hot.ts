import { eq, sql, type SQL } from 'drizzle-orm'
import type { Authentication, UserActor } from '../../core/access/index.ts'
import { memo, type Db } from '../../stores/db/index.ts'
import type { Role } from '../../../shared/vocabulary.ts'
import { policyRow } from './policies/policies.ts'

/** What a session or token secret stands for at this moment. */
export interface Principal {
  actor: UserActor
  expiresAt: Date | null
  /** When its use was last written down. */
  usedAt: Date | null
  /** Of a session: after how long without use it ends (`instance_policies`). */
  idleMinutes: number | null
}

/** A disabled user's secrets stand for no user. */
type Found = { principal?: Principal }

/** How a throttle key stands. */
interface Throttle {
  lockedUntil: Date | null
}

interface Hot {
  token: (digest: string) => Found | Promise<Found>
  session: (digest: string) => Found | Promise<Found>
  tokenById: (id: string) => Found | Promise<Found>
  sessionById: (id: string) => Found | Promise<Found>
  keyById: (id: string) => Found | Promise<Found>
  throttle: (key: string) => Throttle | Promise<Throttle>
  /** Ids of sessions and tokens whose use is being written down. */
  touching: Set<string>
}

const hotOf = (db: Db): Hot => ({
  token: memo(db, 10_000, (digest) => findToken(db, eq(db.t.tokens.digest, digest))),
  session: memo(db, 10_000, (digest) => findSession(db, eq(db.t.sessions.digest, digest))),
  tokenById: memo(db, 10_000, (id) => findToken(db, eq(db.t.tokens.id, id))),
  sessionById: memo(db, 10_000, (id) => findSession(db, eq(db.t.sessions.id, id))),
  keyById: memo(db, 10_000, (id) => findKey(db, id)),
  throttle: memo(db, 10_000, (key) => findThrottle(db, key)),
  touching: new Set(),
})

/** The reads that every request makes, answered from memory while nothing has been written. */
export const hot = (db: Db): Hot => db.keep(hotOf)

interface Row {
  user: { id: string; is_admin: boolean; disabled: boolean; name: string }
  /** NULL while no policy was set. */
  needs_factor: boolean | null
  has_passkey: boolean
  has_identity: boolean
  org_id: string | null
  role: Role | null
}

/**
 * Rows are one per organisation of the user; their own namespace has their id. Where the policy wants a second factor of
 * admins, one who has none acts as any other user: in a session that began with a provider, that provider is the factor.
 */
function actorFrom(rows: Row[], auth: Authentication, isByProvider?: boolean): UserActor | undefined {
  const [row] = rows
  if (!row || row.user.disabled) return undefined
  const { user } = row
  const hasFactor = row.has_passkey || (isByProvider ?? row.has_identity)
  const lacksFactor = user.is_admin && row.needs_factor === true && !hasFactor
  const roles = new Map<string, Role>([[user.id, 'admin']])
  for (const { org_id, role } of rows) if (org_id && role) roles.set(org_id, role)
  const isAdmin = user.is_admin && !lacksFactor
  const actor: UserActor = { kind: 'user', id: user.id, username: user.name, isAdmin, roles, auth }
  return lacksFactor ? { ...actor, lacksSecondFactor: true } : actor
}

function userColumns({ users, namespaces, members, passkeys, identities, instance_policies }: Db['t']) {
  const user = { id: users.id, is_admin: users.is_admin, disabled: users.disabled, name: namespaces.name }
  const has = (table: typeof passkeys | typeof identities) =>
    sql<boolean>`exists (select 1 from ${table} where ${table.user_id} = ${users.id})`.mapWith(Boolean)
  return {
    user,
    org_id: members.org_id,
    role: members.role,
    needs_factor: instance_policies.admin_second_factor,
    has_passkey: has(passkeys),
    has_identity: has(identities),
  }
}

/** Joins the one row of policies, if there is one. */
const thePolicies = ({ instance_policies }: Db['t']) => eq(instance_policies.id, policyRow)

async function findToken({ q, t }: Db, which: SQL): Promise<Found> {
  const { tokens, users, namespaces, members, instance_policies } = t
  const rows = await q
    .select({ token: tokens, ...userColumns(t) })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.user_id))
    .innerJoin(namespaces, eq(namespaces.id, users.id))
    .leftJoin(members, eq(members.user_id, users.id))
    .leftJoin(instance_policies, thePolicies(t))
    .where(which)
  const token = rows[0]?.token
  if (!token) return {}
  const actor = actorFrom(rows, {
    kind: 'token',
    tokenId: token.id,
    tokenName: token.name,
    scopes: token.scopes,
    fence: token.fence,
    createdAt: token.created_at,
    expiresAt: token.expires_at,
  })
  if (!actor) return {}
  return { principal: { actor, expiresAt: token.expires_at, usedAt: token.last_used_at, idleMinutes: null } }
}

/** A user as they would be in a session that ends at `expiresAt`. */
export async function findUser({ q, t }: Db, id: string, expiresAt: Date): Promise<UserActor | undefined> {
  const { users, namespaces, members, instance_policies } = t
  const rows = await q
    .select(userColumns(t))
    .from(users)
    .innerJoin(namespaces, eq(namespaces.id, users.id))
    .leftJoin(members, eq(members.user_id, users.id))
    .leftJoin(instance_policies, thePolicies(t))
    .where(eq(users.id, id))
  return actorFrom(rows, { kind: 'session', sessionId: '', expiresAt, confirmedAt: new Date(0) })
}

async function findSession({ q, t }: Db, which: SQL): Promise<Found> {
  const { sessions, users, namespaces, members, instance_policies } = t
  const rows = await q
    .select({ session: sessions, idle: instance_policies.session_idle_minutes, ...userColumns(t) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .innerJoin(namespaces, eq(namespaces.id, users.id))
    .leftJoin(members, eq(members.user_id, users.id))
    .leftJoin(instance_policies, thePolicies(t))
    .where(which)
  const [row] = rows
  if (!row) return {}
  const { session, idle: idleMinutes } = row
  const { expires_at: expiresAt, last_seen_at: usedAt } = session
  const confirmedAt = session.confirmed_at ?? session.created_at
  const auth = { kind: 'session', sessionId: session.id, expiresAt, confirmedAt } as const
  const actor = actorFrom(rows, auth, session.identity_id !== null)
  return actor ? { principal: { actor, expiresAt, usedAt, idleMinutes } } : {}
}

/** A saved key reads in its owner's name, as a token of the scope `read` would. */
async function findKey({ q, t }: Db, id: string): Promise<Found> {
  const { ollama_keys: keys, users, namespaces, members, instance_policies } = t
  const rows = await q
    .select({ key: keys, ...userColumns(t) })
    .from(keys)
    .innerJoin(users, eq(users.id, keys.user_id))
    .innerJoin(namespaces, eq(namespaces.id, users.id))
    .leftJoin(members, eq(members.user_id, users.id))
    .leftJoin(instance_policies, thePolicies(t))
    .where(eq(keys.id, id))
  const key = rows[0]?.key
  if (!key) return {}
  const actor = actorFrom(rows, {
    kind: 'token',
    isSavedKey: true,
    tokenId: key.id,
    tokenName: key.name,
    scopes: ['read'],
    fence: null,
    createdAt: key.created_at,
    expiresAt: null,
  })
  return actor ? { principal: { actor, expiresAt: null, usedAt: key.last_used_at, idleMinutes: null } } : {}
}

async function findThrottle({ q, t: { throttles } }: Db, key: string): Promise<Throttle> {
  const [row] = await q.select().from(throttles).where(eq(throttles.key, key))
  return { lockedUntil: row?.locked_until ?? null }
}
