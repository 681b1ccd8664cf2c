import { statesUnderWay } from '../../core/lfs/index.ts'
import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import { jobStatuses, type JobStatus } from '../../../shared/vocabulary.ts'
import type { Db } from '../../stores/db/index.ts'

/*
 * Each function is one statement, whatever the number of rows; sums of nothing are 0.
 */

/** A condition; `undefined` never reaches a statement. */
type Condition = SQL | undefined

const count = sql<number>`count(*)`.mapWith(Number)
const sumOf = (amount: SQLWrapper) => sql<number>`coalesce(sum(${amount}), 0)`.mapWith(Number)
const sumWhere = (condition: Condition, amount: SQLWrapper) =>
  sumOf(sql`case when ${condition} then ${amount} else 0 end`)
const countWhere = (condition: Condition) => sumWhere(condition, sql`1`)

/** The row of a statement that groups nothing. */
async function single<T>(statement: PromiseLike<T[]>): Promise<T> {
  const [row] = await statement
  if (!row) throw new Error('an aggregate without groups answers one row')
  return row
}

/** LFS objects, and what the repos that link them would hold if each had its own copy. */
export function sumObjects({ q, t }: Db) {
  const { lfs_objects: o, lfs_links: l } = t
  const links = q
    .select({ sha256: l.sha256, n: sql<number>`count(*)`.as('n') })
    .from(l)
    .groupBy(l.sha256)
    .as('links')
  return single(
    q
      .select({
        count,
        bytes: sumOf(o.size),
        links: sumOf(links.n),
        logical_bytes: sumOf(sql`${o.size} * ${links.n}`),
        saved_bytes: sumOf(sql`${o.size} * (${links.n} - 1)`),
        unreferenced_count: countWhere(isNull(links.n)),
        unreferenced_bytes: sumWhere(isNull(links.n), o.size),
        corrupt_count: countWhere(isNotNull(o.corrupt_at)),
      })
      .from(o)
      .leftJoin(links, eq(links.sha256, o.sha256)),
  )
}

/** Packs that serve, and those that were replaced and are not deleted yet. */
export function sumPacks({ q, t: { git_packs: p } }: Db) {
  const bytes = sql`${p.pack_bytes} + ${p.idx_bytes}`
  const live = eq(p.state, 'live')
  const retired = inArray(p.state, ['retired', 'deleting'])
  return single(
    q
      .select({
        count: countWhere(live),
        bytes: sumWhere(live, bytes),
        retired_count: countWhere(retired),
        retired_bytes: sumWhere(retired, bytes),
      })
      .from(p),
  )
}

/** Uploads that have neither completed nor been aborted. */
export function sumUploads({ q, t: { uploads: u, upload_parts: p } }: Db) {
  const stored = q
    .select({ id: p.upload_id, bytes: sql<number>`sum(${p.size})`.as('bytes') })
    .from(p)
    .groupBy(p.upload_id)
    .as('stored')
  return single(
    q
      .select({ count, bytes: sumOf(stored.bytes), expected_bytes: sumOf(u.size) })
      .from(u)
      .leftJoin(stored, eq(stored.id, u.id))
      .where(inArray(u.status, statesUnderWay)),
  )
}

/** Chunk containers: all, those last used by `dueBefore`, and those that jobs under way read. */
export function sumXorbs({ q, t: { chunk_xorbs: x, chunk_pins } }: Db, dueBefore: Date) {
  const pins = q.selectDistinct({ hash: chunk_pins.xorb_hash }).from(chunk_pins).as('pins')
  const isPinned = isNotNull(pins.hash)
  return single(
    q
      .select({
        count,
        bytes: sumOf(x.body_size),
        unpacked_bytes: sumOf(x.unpacked),
        oldest_used_at: min(x.last_used_at),
        due_bytes: sumWhere(lte(x.last_used_at, dueBefore), x.body_size),
        pinned_count: countWhere(isPinned),
        pinned_bytes: sumWhere(isPinned, x.body_size),
      })
      .from(x)
      .leftJoin(pins, eq(pins.hash, x.xorb_hash)),
  )
}

/** LFS objects that came as chunks, each once however many ways it was cut. */
export function sumRebuilt({ q, t: { lfs_objects: o, chunk_files } }: Db) {
  const rebuilt = q.select({ sha256: chunk_files.sha256 }).from(chunk_files)
  return single(
    q
      .select({ rebuilt_count: count, rebuilt_bytes: sumOf(o.size) })
      .from(o)
      .where(inArray(o.sha256, rebuilt)),
  )
}

/** Keys listed for deletion, and those of them whose time has come. */
export function countDeletions({ q, t: { blob_deletions: d } }: Db, now: Date) {
  return single(q.select({ count, due_count: countWhere(lte(d.at, now)) }).from(d))
}

/** Jobs by status, and those that failed since a time. */
export async function countJobs(
  { q, t: { jobs: j } }: Db,
  since: Date,
): Promise<Record<JobStatus | 'failed_24h', number>> {
  const recently = and(eq(j.status, 'failed'), gte(j.finished_at, since))
  const rows = await q
    .select({ status: j.status, count, recent: countWhere(recently) })
    .from(j)
    .groupBy(j.status)
  const by = new Map(rows.map((row) => [row.status, row]))
  const counted = Object.fromEntries(jobStatuses.map((status) => [status, by.get(status)?.count ?? 0]))
  return { ...(counted as Record<JobStatus, number>), failed_24h: by.get('failed')?.recent ?? 0 }
}

/** Repos by type, without those that were deleted and can be restored, which are counted apart. */
export function countRepos({ q, t: { repos: r } }: Db) {
  const present = isNull(r.deleted_at)
  return single(
    q
      .select({
        models: countWhere(and(present, eq(r.type, 'model'))),
        datasets: countWhere(and(present, eq(r.type, 'dataset'))),
        deleted_repos: countWhere(isNotNull(r.deleted_at)),
      })
      .from(r),
  )
}

/** Users and organisations. */
export function countNamespaces({ q, t: { namespaces: n } }: Db) {
  return single(
    q.select({ users: countWhere(eq(n.kind, 'user')), orgs: countWhere(eq(n.kind, 'org')) }).from(n),
  )
}

/** What the engine calls its version, and the bytes of the database: each engine has its own words for both. */
export async function describeDatabase({ q, engine }: Db) {
  const words =
    engine === 'sqlite'
      ? {
          version: sql`sqlite_version()`,
          bytes: sql`(select page_count * page_size from pragma_page_count, pragma_page_size)`,
        }
      : { version: sql`current_setting('server_version')`, bytes: sql`pg_database_size(current_database())` }
  const row = await single(
    q
      .select({ version: words.version.mapWith(String), bytes: words.bytes.mapWith(Number) })
      .from(sql`(select 1) as one`),
  )
  return { engine, ...row }
}
