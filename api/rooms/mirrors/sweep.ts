import { and, eq, inArray, isNull, lt, notExists, notInArray, or, sql } from 'drizzle-orm'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../../core/sweep.ts'
import { discardKeys } from '../../core/lfs/index.ts'

/** A transfer that has rested for so long begins again, should the file be wanted. */
const KEPT_MS = 7 * 24 * 3_600_000

/** Drops what jobs that are no longer listed said of themselves, and the parts of transfers that were given up. */
export const endedPulls: Sweep = {
  name: 'pulls',
  async run(ctx, run) {
    const { q, t } = ctx.db
    const { pulls: p, pull_files: f, jobs, transfers: x, transfer_parts: parts, upstream_looks: l } = t
    const listed = q.select({ id: jobs.id }).from(jobs)
    const isStale = and(
      or(isNull(x.lease_until), lt(x.lease_until, ctx.now())),
      lt(x.claimed_at, new Date(ctx.now().getTime() - KEPT_MS)),
    )
    const isOrphan = notExists(
      q
        .select({ one: sql`1` })
        .from(x)
        .where(and(eq(x.repo_id, parts.repo_id), eq(x.sha256, parts.sha256))),
    )
    return {
      forgotten: await sweepRows(
        run,
        () => q.$count(p, notInArray(p.job_id, listed)),
        async (tx) => {
          const some = tx.q
            .select({ id: p.job_id })
            .from(p)
            .where(notInArray(p.job_id, listed))
            .limit(SWEEP_ROWS)
          const gone = await tx.q.delete(p).where(inArray(p.job_id, some)).returning({ id: p.job_id })
          await tx.q.delete(f).where(
            inArray(
              f.job_id,
              gone.map(({ id }) => id),
            ),
          )
          return gone
        },
      ),
      transfers: await sweepRows(
        run,
        () => q.$count(x, isStale),
        ({ q: tx }) => {
          const some = tx.select({ id: x.id }).from(x).where(isStale).limit(SWEEP_ROWS)
          return tx.delete(x).where(inArray(x.id, some)).returning({ id: x.id })
        },
      ),
      looks: await sweepRows(
        run,
        () => q.$count(l, lt(l.until, ctx.now())),
        ({ q: tx }) => {
          const some = tx.select({ key: l.key }).from(l).where(lt(l.until, ctx.now())).limit(SWEEP_ROWS)
          return tx.delete(l).where(inArray(l.key, some)).returning({ key: l.key })
        },
      ),
      parts: await sweepRows(
        run,
        () => q.$count(parts, isOrphan),
        async (tx) => {
          const some = tx.q.select({ key: parts.key }).from(parts).where(isOrphan).limit(SWEEP_ROWS)
          const gone = await tx.q.delete(parts).where(inArray(parts.key, some)).returning({ key: parts.key })
          await discardKeys(
            tx,
            ctx,
            gone.map(({ key }) => key),
          )
          return gone
        },
      ),
    }
  },
}
