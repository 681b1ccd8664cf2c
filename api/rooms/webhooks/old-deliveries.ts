import { and, inArray, lt } from 'drizzle-orm'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../../core/sweep.ts'

/** How long deliveries are kept. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Part of `gc`: forgets deliveries of 30 days ago that are over. */
export const oldDeliveries: Sweep = {
  name: 'webhook_deliveries',
  async run({ db, now }, run) {
    const { webhook_deliveries: d } = db.t
    const isOld = and(
      inArray(d.status, ['succeeded', 'failed']),
      lt(d.created_at, new Date(now().getTime() - KEPT_MS)),
    )
    return {
      forgotten: await sweepRows(
        run,
        () => db.q.$count(d, isOld),
        ({ q }) => {
          const some = q.select({ id: d.id }).from(d).where(isOld).limit(SWEEP_ROWS)
          return q.delete(d).where(inArray(d.id, some)).returning({ id: d.id })
        },
      ),
    }
  },
}
