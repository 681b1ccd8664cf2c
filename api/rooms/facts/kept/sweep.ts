import { and, eq, inArray, lt, notExists, or, sql } from 'drizzle-orm'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../../../core/sweep.ts'
import type { Reads, Tables } from '../../../stores/db/index.ts'

interface Reader {
  q: Reads
  t: Tables
}

/** Facts that were not used for this long are forgotten; the next use reads the file again. */
const UNUSED_MS = 30 * 24 * 3_600_000
/** Facts may be made before the row of their object is seen. */
const YOUNG_MS = 3_600_000
/** Characters of a SHA-256 in hex. */
const SHA256 = 64

/** Part of `gc`: forgets facts and comparisons that were not used for 30 days, and facts of large files that are gone. */
export const unusedFacts: Sweep = {
  name: 'facts',
  async run(ctx, run) {
    const now = ctx.now().getTime()
    const unused = new Date(now - UNUSED_MS)
    const { file_facts: f, tensor_comparisons: c } = ctx.db.t
    const isUnused = ({ q, t: { lfs_objects: o } }: Reader) =>
      or(
        lt(f.touched_at, unused),
        and(
          lt(f.touched_at, new Date(now - YOUNG_MS)),
          eq(sql`length(${f.content})`, SHA256),
          notExists(
            q
              .select({ one: sql`1` })
              .from(o)
              .where(eq(o.sha256, f.content)),
          ),
        ),
      )
    const facts = await sweepRows(
      run,
      () => ctx.db.q.$count(f, isUnused(ctx.db)),
      async (tx) => {
        const some = tx.q.select({ content: f.content }).from(f).where(isUnused(tx)).limit(SWEEP_ROWS)
        const isOne = and(inArray(f.content, some), isUnused(tx))
        return tx.q.delete(f).where(isOne).returning({ content: f.content })
      },
    )
    const comparisons = await sweepRows(
      run,
      () => ctx.db.q.$count(c, lt(c.touched_at, unused)),
      async (tx) => {
        const some = tx.q.select({ pair: c.pair }).from(c).where(lt(c.touched_at, unused)).limit(SWEEP_ROWS)
        return tx.q.delete(c).where(inArray(c.pair, some)).returning({ pair: c.pair })
      },
    )
    return { facts, comparisons }
  },
}
