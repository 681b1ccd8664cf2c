import {
  and,
  exists,
  gt,
  inArray,
  isNotNull,
  lte,
  not,
  notExists,
  eq,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { discardKeys } from '../../core/lfs/index.ts'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../../core/sweep.ts'
import { forgetXorbs } from './forget-xorbs.ts'
import type { Reading } from './queries.ts'

const one = { one: sql`1` }
/** How long a failed rebuild is remembered, so that a late commit gets the reason and its job can be retried. */
const FAILED_MS = 7 * 24 * 3_600_000

/**
 * The part of the `gc` job that lets chunk storage go: xorbs unused for `chunk.xorb_retention` that no rebuild under way
 * reads, rebuilds that failed long ago, and what is known of contents whose object is gone. Objects never depend on any
 * of it.
 */
export const unusedChunks: Sweep = {
  name: 'chunks',
  async run(ctx, run) {
    const rebuilds = await sweepRows(
      run,
      () => countOf(ctx, 'chunk_rebuilds', isForgotten(ctx.db, ctx)),
      forget(ctx),
    )
    const pins = run.dryRun
      ? await countOf(ctx, 'chunk_pins', isUnpinned(ctx.db, ctx))
      : await run.write(unpin(ctx))
    const xorbs = await sweepRows(run, () => countOf(ctx, 'chunk_xorbs', isUnused(ctx.db, ctx)), letGo(ctx))
    const files = await sweepRows(run, () => countOf(ctx, 'chunk_files', isGone(ctx.db)), dropFiles)
    return { xorbs, rebuilds, pins, files }
  },
}

const countOf = (
  { db: { q, t } }: Ctx,
  table: 'chunk_rebuilds' | 'chunk_pins' | 'chunk_xorbs' | 'chunk_files',
  where: SQL | undefined,
) => q.$count(t[table], where)

/** A job of this id may still do its work. */
function hasLiveJob({ q, t: { jobs } }: Reading, jobId: SQLWrapper): SQL {
  const live = and(eq(jobs.id, jobId), inArray(jobs.status, ['queued', 'running']))
  return exists(q.select(one).from(jobs).where(live))
}

function isForgotten(tx: Reading, { now }: Pick<Ctx, 'now'>): SQL | undefined {
  const { chunk_rebuilds: r } = tx.t
  const cutoff = new Date(now().getTime() - FAILED_MS)
  return and(lte(r.created_at, cutoff), not(hasLiveJob(tx, r.job_id)))
}

/** A job that ended early needs its pins again when it is retried, until its files are forgotten. */
function isUnpinned(tx: Reading, { now }: Pick<Ctx, 'now'>): SQL | undefined {
  const { chunk_pins: p, chunk_rebuilds: r } = tx.t
  const cutoff = new Date(now().getTime() - FAILED_MS)
  const left = tx.q
    .select(one)
    .from(r)
    .where(and(eq(r.job_id, p.job_id), isNotNull(r.active_key), gt(r.created_at, cutoff)))
  return and(not(hasLiveJob(tx, p.job_id)), notExists(left))
}

function isUnused(tx: Reading, { config, now }: Pick<Ctx, 'config' | 'now'>): SQL | undefined {
  const { chunk_xorbs: x, chunk_pins: p } = tx.t
  const cutoff = new Date(now().getTime() - config.chunk.xorb_retention)
  const pins = tx.q
    .select(one)
    .from(p)
    .where(and(eq(p.xorb_hash, x.xorb_hash), hasLiveJob(tx, p.job_id)))
  return and(lte(x.last_used_at, cutoff), notExists(pins))
}

function isGone({ q, t: { chunk_files: f, lfs_objects: o } }: Reading): SQL {
  return notExists(q.select(one).from(o).where(eq(o.sha256, f.sha256)))
}

const forget =
  (ctx: Ctx) =>
  async (tx: Tx): Promise<unknown[]> => {
    const { chunk_rebuilds: r, chunk_rebuild_claims: c } = tx.t
    const page = tx.q.select({ id: r.id }).from(r).where(isForgotten(tx, ctx)).limit(SWEEP_ROWS)
    const gone = await tx.q.delete(r).where(inArray(r.id, page)).returning()
    if (gone.length === 0) return gone
    await tx.q.delete(c).where(
      inArray(
        c.rebuild_id,
        gone.map(({ id }) => id),
      ),
    )
    const shards = new Set(gone.map(({ shard_key }) => shard_key))
    const kept = await tx.q
      .selectDistinct({ key: r.shard_key })
      .from(r)
      .where(and(inArray(r.shard_key, [...shards]), isNotNull(r.active_key)))
    for (const { key } of kept) shards.delete(key)
    await discardKeys(tx, ctx, [...shards])
    return gone
  }

/** Of jobs that ended without unpinning: few, each with some thousand pins at most. */
const unpin =
  (ctx: Ctx) =>
  async (tx: Tx): Promise<number> => {
    const { chunk_pins: p } = tx.t
    return (await tx.q.delete(p).where(isUnpinned(tx, ctx)).returning({ job: p.job_id })).length
  }

const letGo =
  (ctx: Ctx) =>
  async (tx: Tx): Promise<unknown[]> => {
    const { chunk_xorbs: x } = tx.t
    const page = tx.q.select({ hash: x.xorb_hash }).from(x).where(isUnused(tx, ctx)).limit(SWEEP_ROWS)
    // The condition again: on Postgres a row chosen by the inner query may be touched before it is locked.
    return forgetXorbs(tx, ctx, and(inArray(x.xorb_hash, page), isUnused(tx, ctx)))
  }

async function dropFiles(tx: Tx): Promise<unknown[]> {
  const { chunk_files: f } = tx.t
  const page = tx.q.select({ hash: f.file_hash }).from(f).where(isGone(tx)).limit(SWEEP_ROWS)
  return tx.q
    .delete(f)
    .where(and(inArray(f.file_hash, page), isGone(tx)))
    .returning({ hash: f.file_hash })
}
