import { and, asc, inArray, isNotNull, lte, notInArray, or, type SQL } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { SWEEP_ROWS, sweepRows, type Sweep, type SweepRun } from '../../../core/sweep.ts'
import { arrivalKey } from '../bucket/bucket-uploads.ts'
import { statesUnderWay } from '../../../core/lfs/index.ts'
import type { Reading } from '../queries.ts'
import { abortUpload } from '../transitions.ts'

const PAGE = 200
/** Requests to the store under way at once. */
const AT_ONCE = 16

/**
 * The part of the `gc` job that ends uploads past their deadline or without a repo, with what the store has begun for
 * them, and forgets ended ones one grace period later.
 */
export const uploadSweep: Sweep = {
  name: 'uploads',
  run: async (ctx, run) => ({
    expired: await expire(ctx, run),
    aborted: await abortMultiparts(ctx, run),
    forgotten: await forget(ctx, run),
  }),
}

/** Past its deadline, or its repo has been purged. */
function isExpired({ q, t }: Reading, now: Date): SQL | undefined {
  const { uploads: u, repos } = t
  const isHomeless = notInArray(u.repo_id, q.select({ id: repos.id }).from(repos))
  return and(inArray(u.status, statesUnderWay), or(lte(u.expires_at, now), isHomeless))
}

async function expire(ctx: Ctx, { dryRun, signal, write }: SweepRun): Promise<number> {
  const { uploads: u } = ctx.db.t
  if (dryRun) return ctx.db.q.$count(u, isExpired(ctx.db, ctx.now()))
  for (let expired = 0; ;) {
    signal.throwIfAborted()
    const page = await ctx.db.q
      .select({ id: u.id })
      .from(u)
      .where(isExpired(ctx.db, ctx.now()))
      .orderBy(asc(u.id))
      .limit(PAGE)
    if (page.length === 0) return expired
    await write(async (tx) => {
      for (const { id } of page) expired += await expireOne(tx, ctx, id)
    })
  }
}

/** A part that came meanwhile has moved the deadline; then the upload lives on. */
async function expireOne(tx: Tx, ctx: Ctx, id: string): Promise<number> {
  return (await abortUpload(tx, ctx, id, isExpired(tx, ctx.now()))) ? 1 : 0
}

/** Aborts the store's own multipart uploads of uploads that have ended; most were joined, which is well too. */
async function abortMultiparts(ctx: Ctx, { dryRun, signal, write }: SweepRun): Promise<number> {
  const { uploads: u } = ctx.db.t
  const isLeft = and(inArray(u.status, ['complete', 'aborted']), isNotNull(u.store_upload_id))
  if (dryRun) return ctx.db.q.$count(u, isLeft)
  for (let aborted = 0; ;) {
    signal.throwIfAborted()
    const page = await ctx.db.q.select().from(u).where(isLeft).limit(AT_ONCE)
    if (page.length === 0) return aborted
    await Promise.all(page.map((row) => ctx.blobs.direct?.abort(arrivalKey(row), row.store_upload_id ?? '')))
    const ids = page.map(({ id }) => id)
    await write(({ q }) => q.update(u).set({ store_upload_id: null }).where(inArray(u.id, ids)))
    aborted += page.length
  }
}

async function forget({ db, config, now }: Ctx, run: SweepRun): Promise<number> {
  const { uploads: u } = db.t
  const cutoff = new Date(now().getTime() - config.gc.grace_period)
  const isOld = and(inArray(u.status, ['complete', 'aborted']), lte(u.expires_at, cutoff))
  return sweepRows(
    run,
    () => db.q.$count(u, isOld),
    ({ q }) => {
      const some = q.select({ id: u.id }).from(u).where(isOld).limit(SWEEP_ROWS)
      return q.delete(u).where(inArray(u.id, some)).returning({ id: u.id })
    },
  )
}
