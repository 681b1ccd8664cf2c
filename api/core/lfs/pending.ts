import { statesUnderWay } from './upload-states.ts'
import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  min,
  notExists,
  or,
  sql,
  type AnyColumn,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import type { Reading } from './queries.ts'

/** Whose bytes are counted: those of one user, or those on their way into the repos of one namespace. */
export interface PendingScope {
  userId: string
  /** Left out: wherever this user sends bytes to. */
  namespaceId?: string
  /** Counts members and this user alone, so that outsiders cannot take the room of members. */
  isMember?: boolean
}

/** Bytes that were sent or announced and that no commit names yet. */
export interface Pending {
  /** Objects announced, on their way or granted, and chunk containers that no manifest has named. */
  bytes: number
  /** When the first of them stop counting, unless they are committed. */
  firstEndsAt: Date | null
  /** Chunk containers that are kept, named or not. */
  containerBytes: number
}

const one = { one: sql`1` }
const sumOf = (size: SQLWrapper) => sql`coalesce(sum(${size}), 0)`.mapWith(Number)

/**
 * Counts what waits for a commit. Each user's object counts in each repo by itself, whatever else stores it: a figure
 * that did not grow for bytes of somebody's private repo would tell that they are there. One statement: it runs while
 * the row of a namespace is locked, twice for each chunk container.
 */
export async function pendingBytes(
  tx: Reading,
  ctx: Pick<Ctx, 'config' | 'now'>,
  scope: PendingScope,
): Promise<Pending> {
  const now = ctx.now()
  const retention = ctx.config.chunk.xorb_retention
  const parts = await containers(tx, new Date(now.getTime() - retention), scope)
    .unionAll(granted(tx, now, scope))
    .unionAll(announced(tx, now, scope))
    .unionAll(rebuilding(tx, scope))
  const ends = parts.flatMap(({ kind, at }) =>
    at ? [at.getTime() + (kind === 'container' ? retention : 0)] : [],
  )
  const total = (of: 'bytes' | 'containerBytes') => parts.reduce((sum, row) => sum + row[of], 0)
  return {
    bytes: total('bytes'),
    firstEndsAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
    containerBytes: total('containerBytes'),
  }
}

interface Owned {
  repo_id: AnyColumn
  user_id: AnyColumn
}

function isInScope({ q, t }: Reading, { userId, namespaceId, isMember }: PendingScope, row: Owned) {
  if (namespaceId === undefined) return eq(row.user_id, userId)
  const { repos, members: m } = t
  const ofNamespace = q.select({ id: repos.id }).from(repos).where(eq(repos.namespace_id, namespaceId))
  const isInside = inArray(row.repo_id, ofNamespace)
  if (!isMember) return isInside
  const ofMembers = q.select({ id: m.user_id }).from(m).where(eq(m.org_id, namespaceId))
  return and(isInside, or(inArray(row.user_id, [userId, namespaceId]), inArray(row.user_id, ofMembers)))
}

/** Counted as stored already. Members alone are shown whether another repo of the namespace holds an object. */
function isUnlinked(
  { q, t }: Reading,
  { namespaceId, isMember }: PendingScope,
  row: { repo_id: AnyColumn; sha256: AnyColumn },
): SQL {
  const { lfs_links: l, repos } = t
  const isHere =
    namespaceId !== undefined && isMember
      ? inArray(l.repo_id, q.select({ id: repos.id }).from(repos).where(eq(repos.namespace_id, namespaceId)))
      : eq(l.repo_id, row.repo_id)
  return notExists(
    q
      .select(one)
      .from(l)
      .where(and(eq(l.sha256, row.sha256), isHere)),
  )
}

/** A row of the sum. `at` is when the first bytes stop counting, and for containers when the first was last used. */
const part = (
  kind: 'container' | 'grant' | 'upload' | 'rebuild',
  { bytes, at, containerBytes }: { bytes: SQL<number>; at: SQL<Date | null>; containerBytes?: SQL<number> },
) => ({
  kind: sql<typeof kind>`${sql.raw(`'${kind}'`)}`,
  bytes,
  at,
  containerBytes: containerBytes ?? sql`0`.mapWith(Number),
})

/** Chunk containers used since a time. Those that a manifest has named wait no more. */
function containers({ q, t }: Reading, since: Date, scope: PendingScope) {
  const { chunk_xorbs: x, chunk_xorb_uploads: u } = t
  const isWaiting = isNull(u.named_at)
  return q
    .select(
      part('container', {
        bytes: sumOf(sql`case when ${isWaiting} then ${x.body_size} end`),
        at: sql<Date | null>`min(case when ${isWaiting} then ${x.last_used_at} end)`.mapWith(x.last_used_at),
        containerBytes: sumOf(x.body_size),
      }),
    )
    .from(u)
    .innerJoin(x, eq(x.xorb_hash, u.xorb_hash))
    .where(and(isNotNull(u.repo_id), isInScope({ q, t }, scope, u), gt(x.last_used_at, since)))
}

function granted({ q, t }: Reading, now: Date, scope: PendingScope) {
  const { lfs_grants: g, lfs_objects: o } = t
  return q
    .select(part('grant', { bytes: sumOf(o.size), at: min(g.expires_at) }))
    .from(g)
    .innerJoin(o, eq(o.sha256, g.sha256))
    .where(and(gt(g.expires_at, now), isInScope({ q, t }, scope, g), isUnlinked({ q, t }, scope, g)))
}

/** What was sent another way meanwhile counts as granted. */
function announced({ q, t }: Reading, now: Date, scope: PendingScope) {
  const { uploads: u, lfs_grants: g } = t
  const grants = q
    .select(one)
    .from(g)
    .where(
      and(eq(g.repo_id, u.repo_id), eq(g.sha256, u.sha256), eq(g.user_id, u.user_id), gt(g.expires_at, now)),
    )
  const isUnderWay = and(inArray(u.status, statesUnderWay), gt(u.expires_at, now))
  const isHere = and(isInScope({ q, t }, scope, u), isUnlinked({ q, t }, scope, u), notExists(grants))
  return q
    .select(part('upload', { bytes: sumOf(u.size), at: min(u.expires_at) }))
    .from(u)
    .where(and(isUnderWay, isHere))
}

/** Files that are being put together from chunks. */
function rebuilding({ q, t }: Reading, scope: PendingScope) {
  const { chunk_rebuilds: r, chunk_rebuild_claims: c, jobs } = t
  const live = q
    .select(one)
    .from(jobs)
    .where(and(eq(jobs.id, r.job_id), inArray(jobs.status, ['queued', 'running'])))
  return q
    .select(part('rebuild', { bytes: sumOf(r.size), at: sql<Date | null>`null` }))
    .from(r)
    .innerJoin(c, eq(c.rebuild_id, r.id))
    .where(and(isNotNull(r.active_key), isInScope({ q, t }, scope, c), exists(live)))
}
