import { and, exists, inArray, isNull, lt, notExists, sql, eq, count, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../stores/db/index.ts'
import { discardKeys } from '../../../core/lfs/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { SWEEP_ROWS, sweepRows, type Sweep, type SweepRun } from '../../../core/sweep.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Reader } from '../queries.ts'

/** Whether a comment shows the row's image. */
function shown({ q, t }: Reader): { isShown: SQL; isNotShown: SQL } {
  const { attachments: a, attachment_uses: u } = t
  const uses = q
    .select({ one: sql`1` })
    .from(u)
    .where(eq(u.attachment_id, a.id))
  return { isShown: exists(uses), isNotShown: notExists(uses) }
}

/** Comments go with their thread and their repo, and say nothing to the images they showed: here it is noticed. */
async function noticeUnused({ write, signal }: SweepRun, ctx: Ctx): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const { length } = await write(async (tx) => {
      const { attachments: a } = tx.t
      const rows = await tx.q
        .select({ id: a.id })
        .from(a)
        .where(and(isNull(a.unused_since), shown(tx).isNotShown))
        .limit(SWEEP_ROWS)
      const ids = rows.map(({ id }) => id)
      return tx.q
        .update(a)
        .set({ unused_since: ctx.now() })
        .where(and(inArray(a.id, ids), shown(tx).isNotShown))
        .returning({ id: a.id })
    })
    if (length < SWEEP_ROWS) return
  }
}

async function removeSome(tx: Tx, ctx: Ctx, cutoff: Date): Promise<unknown[]> {
  const { attachments: a } = tx.t
  const isLong = and(lt(a.unused_since, cutoff), shown(tx).isNotShown)
  const some = tx.q.select({ id: a.id }).from(a).where(isLong).limit(SWEEP_ROWS)
  const gone = await tx.q
    .delete(a)
    .where(and(inArray(a.id, some), isLong))
    .returning({ id: a.id })
  await discardKeys(
    tx,
    ctx,
    gone.map(({ id }) => blobKeys.attachment(id)),
  )
  return gone
}

/** Removes images that no comment has shown for `gc.grace_period`. */
export const unusedAttachments: Sweep = {
  name: 'attachments',
  async run(ctx, run) {
    const cutoff = new Date(ctx.now().getTime() - ctx.config.gc.grace_period)
    if (!run.dryRun) await noticeUnused(run, ctx)
    const { attachments: a } = ctx.db.t
    const isLong = and(lt(a.unused_since, cutoff), shown(ctx.db).isNotShown)
    const countLong = async () => {
      const [row] = await ctx.db.q.select({ n: count() }).from(a).where(isLong)
      return row?.n ?? 0
    }
    return { removed: await sweepRows(run, countLong, (tx) => removeSome(tx, ctx, cutoff)) }
  },
}
