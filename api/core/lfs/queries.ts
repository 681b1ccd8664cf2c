import { statesUnderWay } from './upload-states.ts'
import { and, eq, exists, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm'
import { policyOf, readableRepos, type Actor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { inBatches, type Db, type Tx } from '../../stores/db/index.ts'

/** A handle that reads: the database, a snapshot or an open transaction. */
export type Reading = Pick<Db, 'q' | 't'>
export type ObjectRow = Db['t']['lfs_objects']['$inferSelect']

/** Values of one statement; SQLite takes 32 766. */
const BATCH = 1000
const one = { one: sql`1` }
const nothing = sql`1 = 0`

/** Stored, sound objects among `sha256s`. */
export function findObjects({ q, t }: Reading, sha256s: Iterable<string>): Promise<ObjectRow[]> {
  const { lfs_objects: o } = t
  return inBatches(sha256s, (some) =>
    q
      .select()
      .from(o)
      .where(and(inArray(o.sha256, some), isNull(o.corrupt_at))),
  )
}

/** Objects among `sha256s` that `where` admits; it may name the row as `lfs_objects`. */
export function findObjectsWhere(
  { q, t }: Reading,
  sha256s: Iterable<string>,
  where: SQL | undefined,
): Promise<ObjectRow[]> {
  const { lfs_objects: o } = t
  return inBatches(sha256s, (some) =>
    q
      .select()
      .from(o)
      .where(and(inArray(o.sha256, some), isNull(o.corrupt_at), where)),
  )
}

/** This caller proved possession, in any repo. A fenced token counts what was proved inside its fence only. */
export function hasGrant(tx: Reading, { actor, now }: Pick<Ctx, 'actor' | 'now'>): SQL {
  const { lfs_grants: g, lfs_objects: o, repos, namespaces } = tx.t
  if (actor.kind !== 'user') return nothing
  const own = and(eq(g.sha256, o.sha256), eq(g.user_id, actor.id), gt(g.expires_at, now()))
  if (!isFenced(actor)) return exists(tx.q.select(one).from(g).where(own))
  return exists(
    tx.q
      .select(one)
      .from(g)
      .innerJoin(repos, eq(repos.id, g.repo_id))
      .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
      .where(and(own, readableRepos(actor, tx, { anonymousRead: false }))),
  )
}

/** This user proved possession in this repo. */
export function hasGrantIn({ q, t }: Reading, repoId: string, userId: string, now: Date): SQL {
  const { lfs_grants: g, lfs_objects: o } = t
  return exists(
    q
      .select(one)
      .from(g)
      .where(
        and(eq(g.sha256, o.sha256), eq(g.repo_id, repoId), eq(g.user_id, userId), gt(g.expires_at, now)),
      ),
  )
}

function isFenced(actor: Actor): boolean {
  return actor.kind === 'user' && actor.auth.kind === 'token' && actor.auth.fence !== null
}

/** A pointer to it is reachable in a repo whose files this caller may read. */
export function hasReadableLink(tx: Reading, { actor, config }: Pick<Ctx, 'actor' | 'config'>): SQL {
  const { lfs_links: l, lfs_objects: o, repos, namespaces } = tx.t
  return exists(
    tx.q
      .select(one)
      .from(l)
      .innerJoin(repos, eq(repos.id, l.repo_id))
      .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
      .where(and(eq(l.sha256, o.sha256), readableRepos(actor, tx, policyOf(config)))),
  )
}

/** A pointer to it is reachable in this repo. */
export function hasLinkIn({ q, t }: Reading, repoId: string): SQL {
  const { lfs_links: l, lfs_objects: o } = t
  return exists(
    q
      .select(one)
      .from(l)
      .where(and(eq(l.repo_id, repoId), eq(l.sha256, o.sha256))),
  )
}

/** Something keeps it: a link, a live grant, or an upload under way. */
export function isReferenced({ q, t }: Reading, now: Date): SQL | undefined {
  const { lfs_links: l, lfs_grants: g, lfs_objects: o, uploads: u } = t
  return or(
    exists(q.select(one).from(l).where(eq(l.sha256, o.sha256))),
    exists(
      q
        .select(one)
        .from(g)
        .where(and(eq(g.sha256, o.sha256), gt(g.expires_at, now))),
    ),
    exists(
      q
        .select(one)
        .from(u)
        .where(and(eq(u.sha256, o.sha256), inArray(u.status, statesUnderWay), gt(u.expires_at, now))),
    ),
  )
}

/** Marks objects as used now; answers those that were there to be marked. */
export async function touchObjects({ q, t }: Tx, sha256s: Iterable<string>, now: Date): Promise<ObjectRow[]> {
  const { lfs_objects: o } = t
  return inBatches(sha256s, (some) =>
    q
      .update(o)
      .set({ touched_at: now, unreferenced_since: null })
      .where(and(inArray(o.sha256, some), isNull(o.corrupt_at)))
      .returning(),
  )
}

/** The job that an upload waits for may still do its work. */
export function hasLiveJob({ q, t: { uploads: u, jobs } }: Reading): SQL {
  const live = and(eq(jobs.id, u.job_id), inArray(jobs.status, ['queued', 'running']))
  return exists(q.select(one).from(jobs).where(live))
}

/** The caller's uploads of these objects that are being joined or verified at this moment. */
export function findCompletingUploads(tx: Reading, userId: string, sha256s: Iterable<string>, now: Date) {
  const { uploads: u } = tx.t
  return inBatches(sha256s, (some) =>
    tx.q
      .select({ sha256: u.sha256, size: u.size })
      .from(u)
      .where(
        and(
          inArray(u.sha256, some),
          eq(u.user_id, userId),
          or(
            and(eq(u.status, 'joining'), gt(u.lease_until, now)),
            and(eq(u.status, 'verifying'), hasLiveJob(tx)),
          ),
        ),
      ),
  )
}

/** Uploads of these objects by this user to this repo whose bytes were found wrong after they had been sent, oldest first. */
export async function findRefusedUploads(
  { q, t }: Reading,
  { repoId, userId }: { repoId: string; userId: string },
  sha256s: Iterable<string>,
): Promise<{ sha256: string; problem: { code: string; message: string } | null }[]> {
  const { uploads: u } = t
  const isRefused = and(isNotNull(u.job_id), eq(u.status, 'aborted'), isNotNull(u.problem))
  return inBatches(sha256s, (some) =>
    q
      .select({ sha256: u.sha256, problem: u.problem })
      .from(u)
      .where(and(eq(u.repo_id, repoId), eq(u.user_id, userId), inArray(u.sha256, some), isRefused))
      .orderBy(u.id),
  )
}

/** A content that is being put together from chunks for this user in this repo, or could not be. */
export interface ClaimedRebuild {
  sha256: string
  size: number
  /** Why it failed for good. */
  problem: { code: string; message: string } | null
}

/** Rebuilds from chunks that this user waits for, in this repo, of these objects. */
export function findClaimedRebuilds(
  { q, t }: Reading,
  { repoId, userId }: { repoId: string; userId: string },
  sha256s: Iterable<string>,
): Promise<ClaimedRebuild[]> {
  const { chunk_rebuilds: r, chunk_rebuild_claims: c, jobs } = t
  const mayFinish = and(isNull(r.problem), inArray(jobs.status, ['queued', 'running']))
  return inBatches(sha256s, async (some) => {
    const rows = await q
      .select({ sha256: r.claimed_sha256, size: r.size, problem: r.problem })
      .from(r)
      .innerJoin(c, eq(c.rebuild_id, r.id))
      .leftJoin(jobs, eq(jobs.id, r.job_id))
      .where(
        and(
          inArray(r.claimed_sha256, some),
          eq(c.repo_id, repoId),
          eq(c.user_id, userId),
          or(mayFinish, isNotNull(r.problem)),
        ),
      )
    return rows.map((row) => ({ ...row, sha256: row.sha256 ?? '' }))
  })
}

/** Reserves keys until `at`, or discards keys that are reserved or whose rows are gone. */
export async function markForDeletion({ q, t }: Tx, keys: string[], at: Date): Promise<void> {
  const { blob_deletions: d } = t
  for (let i = 0; i < keys.length; i += BATCH)
    await q
      .insert(d)
      .values(keys.slice(i, i + BATCH).map((key) => ({ key, at })))
      .onConflictDoUpdate({ target: d.key, set: { at } })
}

/** Takes keys off the list; answers those that were on it. */
export function unmarkForDeletion({ q, t }: Tx, keys: string[]): Promise<{ key: string }[]> {
  const { blob_deletions: d } = t
  return inBatches(keys, (some) => q.delete(d).where(inArray(d.key, some)).returning())
}

const isDue = ({ t: { blob_deletions: d } }: Reading, now: Date) => lte(d.at, now)

/** Keys whose time has come, longest due first. */
export function dueDeletions(tx: Reading, now: Date, limit: number): Promise<{ key: string }[]> {
  const { blob_deletions: d } = tx.t
  return tx.q.select({ key: d.key }).from(d).where(isDue(tx, now)).orderBy(d.at, d.key).limit(limit)
}

/** How many keys `dueDeletions` has. */
export const countDueDeletions = (tx: Reading, now: Date): Promise<number> =>
  tx.q.$count(tx.t.blob_deletions, isDue(tx, now))
