import {
  and,
  asc,
  between,
  count,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  sum,
  type SQL,
} from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { discardKeys } from './record.ts'
import { isReferenced, type Reading } from './queries.ts'
import { SWEEP_ROWS, sweepRows, type SweepRun } from '../sweep.ts'
import { isTooMany } from './too-many.ts'

/** Rows of one transaction: small enough that the writer's queue does not feel it. */
const PAGE = 500
/**
 * The two phases of object collection (git-storage.md §7): what nothing references is marked, and what has been marked
 * for `gc.grace_period` without being used loses its row while its key is listed for deletion.
 */
export async function sweepObjects(ctx: Ctx, run: SweepRun): Promise<Record<string, number | boolean>> {
  const grants = await sweepGrants(ctx, run)
  const { marked, unmarked, total } = await mark(ctx, run)
  const { lfs_objects: o } = ctx.db.t
  const [found] = await ctx.db.q
    .select({ count: count(), bytes: sum(o.size).mapWith(Number) })
    .from(o)
    .where(isDoomed(ctx.db, ctx))
  const { count: doomed, bytes } = found ?? { count: 0, bytes: 0 }
  const counts = { total, grants_expired: grants, marked, unmarked }
  if (isTooMany(doomed, total)) {
    ctx.log.error({ doomed, total }, 'gc: refused to delete so many LFS objects at once')
    return { ...counts, doomed, aborted: true }
  }
  return { ...counts, deleted: run.dryRun ? doomed : await deleteDoomed(ctx, run), bytes: bytes ?? 0 }
}

/** Those of one object go together, so that a batch may hold a few more than `SWEEP_ROWS`. */
async function sweepGrants({ db, now }: Ctx, run: SweepRun): Promise<number> {
  const { lfs_grants: g } = db.t
  const expired = lte(g.expires_at, now())
  return sweepRows(
    run,
    () => db.q.$count(g, expired),
    async ({ q }) => {
      const some = q.select({ sha256: g.sha256 }).from(g).where(expired).limit(SWEEP_ROWS)
      return q
        .delete(g)
        .where(and(inArray(g.sha256, some), expired))
        .returning({ sha256: g.sha256 })
    },
  )
}

async function mark(ctx: Ctx, run: SweepRun): Promise<{ marked: number; unmarked: number; total: number }> {
  const { lfs_objects: o } = ctx.db.t
  const counts = { marked: 0, unmarked: 0, total: 0 }
  for (let after = ''; ;) {
    run.signal.throwIfAborted()
    const page = await ctx.db.q
      .select({ sha256: o.sha256 })
      .from(o)
      .where(gt(o.sha256, after))
      .orderBy(asc(o.sha256))
      .limit(PAGE)
    const [first, last] = [page[0], page.at(-1)]
    if (!first || !last) return counts
    await markPage(ctx, run, between(o.sha256, first.sha256, last.sha256), counts)
    counts.total += page.length
    after = last.sha256
  }
}

async function markPage(
  { db, now }: Ctx,
  { write, dryRun }: SweepRun,
  page: SQL,
  counts: { marked: number; unmarked: number },
): Promise<void> {
  const { lfs_objects: o } = db.t
  const referenced = (tx: Reading) => isReferenced(tx, now()) ?? page
  const toMark = (tx: Reading) => and(page, isNull(o.unreferenced_since), not(referenced(tx)))
  const toUnmark = (tx: Reading) => and(page, isNotNull(o.unreferenced_since), referenced(tx))
  if (dryRun) {
    counts.marked += await db.q.$count(o, toMark(db))
    counts.unmarked += await db.q.$count(o, toUnmark(db))
    return
  }
  await write(async (tx) => {
    const set = (unreferenced_since: Date | null, where: SQL | undefined) =>
      tx.q.update(o).set({ unreferenced_since }).where(where).returning({ sha256: o.sha256 })
    counts.unmarked += (await set(null, toUnmark(tx))).length
    counts.marked += (await set(now(), toMark(tx))).length
  })
}

function isDoomed(tx: Reading, { config, now }: Ctx): SQL | undefined {
  const { lfs_objects: o } = tx.t
  const cutoff = new Date(now().getTime() - config.gc.grace_period)
  const referenced = isReferenced(tx, now())
  return and(lte(o.unreferenced_since, cutoff), lte(o.touched_at, cutoff), referenced && not(referenced))
}

async function deleteDoomed(ctx: Ctx, { write, signal }: SweepRun): Promise<number> {
  for (let deleted = 0; ;) {
    signal.throwIfAborted()
    const gone = await write((tx) => deletePage(tx, ctx))
    if (gone === 0) return deleted
    deleted += gone
  }
}

async function deletePage(tx: Tx, ctx: Ctx): Promise<number> {
  const { lfs_objects: o } = tx.t
  const page = tx.q.select({ sha256: o.sha256 }).from(o).where(isDoomed(tx, ctx)).limit(PAGE)
  // The condition again: on Postgres a row chosen by the inner query may be touched before it is locked.
  const gone = await tx.q
    .delete(o)
    .where(and(inArray(o.sha256, page), isDoomed(tx, ctx)))
    .returning({ key: o.key })
  await discardKeys(
    tx,
    ctx,
    gone.map((row) => row.key),
  )
  return gone.length
}
