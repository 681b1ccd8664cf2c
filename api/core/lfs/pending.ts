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

interface Sum {
  bytes: number
  endsAt: Date | null
}

const one = { one: sql`1` }
const sumOf = (size: SQLWrapper) => sql`coalesce(sum(${size}), 0)`.mapWith(Number)

/**
 * Counts what waits for a commit. Each user's object counts in each repo by itself, whatever else stores it: a figure
 * that did not grow for bytes of somebody's private repo would tell that they are there.
 */
export async function pendingBytes(
  tx: Reading,
  ctx: Pick<Ctx, 'config' | 'now'>,
  scope: PendingScope,
): Promise<Pending> {
  const containers = await chunkContainers(tx, ctx, scope)
  const sums = [
    await granted(tx, ctx.now(), scope),
    await announced(tx, ctx.now(), scope),
    { bytes: await rebuilding(tx, scope), endsAt: null },
    containers.waiting,
  ]
  const ends = sums.flatMap(({ endsAt }) => (endsAt ? [endsAt.getTime()] : []))
  return {
    bytes: sums.reduce((sum, { bytes }) => sum + bytes, 0),
    firstEndsAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
    containerBytes: containers.keptBytes,
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

async function granted(tx: Reading, now: Date, scope: PendingScope): Promise<Sum> {
  const { lfs_grants: g, lfs_objects: o } = tx.t
  const [sum] = await tx.q
    .select({ bytes: sumOf(o.size), endsAt: min(g.expires_at) })
    .from(g)
    .innerJoin(o, eq(o.sha256, g.sha256))
    .where(and(gt(g.expires_at, now), isInScope(tx, scope, g), isUnlinked(tx, scope, g)))
  return sum ?? { bytes: 0, endsAt: null }
}

/** What was sent another way meanwhile counts as granted. */
async function announced(tx: Reading, now: Date, scope: PendingScope): Promise<Sum> {
  const { uploads: u, lfs_grants: g } = tx.t
  const grants = tx.q
    .select(one)
    .from(g)
    .where(
      and(eq(g.repo_id, u.repo_id), eq(g.sha256, u.sha256), eq(g.user_id, u.user_id), gt(g.expires_at, now)),
    )
  const isUnderWay = and(inArray(u.status, statesUnderWay), gt(u.expires_at, now))
  const [sum] = await tx.q
    .select({ bytes: sumOf(u.size), endsAt: min(u.expires_at) })
    .from(u)
    .where(and(isUnderWay, isInScope(tx, scope, u), isUnlinked(tx, scope, u), notExists(grants)))
  return sum ?? { bytes: 0, endsAt: null }
}

/** Files that are being put together from chunks. */
async function rebuilding(tx: Reading, scope: PendingScope): Promise<number> {
  const { chunk_rebuilds: r, chunk_rebuild_claims: c, jobs } = tx.t
  const live = tx.q
    .select(one)
    .from(jobs)
    .where(and(eq(jobs.id, r.job_id), inArray(jobs.status, ['queued', 'running'])))
  const [sum] = await tx.q
    .select({ bytes: sumOf(r.size) })
    .from(r)
    .innerJoin(c, eq(c.rebuild_id, r.id))
    .where(and(isNotNull(r.active_key), isInScope(tx, scope, c), exists(live)))
  return sum?.bytes ?? 0
}

async function chunkContainers(
  tx: Reading,
  { config, now }: Pick<Ctx, 'config' | 'now'>,
  scope: PendingScope,
): Promise<{ waiting: Sum; keptBytes: number }> {
  const { chunk_xorbs: x, chunk_xorb_uploads: u } = tx.t
  const retention = config.chunk.xorb_retention
  const keptSince = new Date(now().getTime() - retention)
  const isWaiting = isNull(u.named_at)
  const [sum] = await tx.q
    .select({
      keptBytes: sumOf(x.body_size),
      bytes: sumOf(sql`case when ${isWaiting} then ${x.body_size} end`),
      usedAt: sql<Date | null>`min(case when ${isWaiting} then ${x.last_used_at} end)`.mapWith(
        x.last_used_at,
      ),
    })
    .from(u)
    .innerJoin(x, eq(x.xorb_hash, u.xorb_hash))
    .where(and(isNotNull(u.repo_id), isInScope(tx, scope, u), gt(x.last_used_at, keptSince)))
  const endsAt = sum?.usedAt ? new Date(sum.usedAt.getTime() + retention) : null
  return { waiting: { bytes: sum?.bytes ?? 0, endsAt }, keptBytes: sum?.keptBytes ?? 0 }
}
