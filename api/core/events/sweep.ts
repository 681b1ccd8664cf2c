import { inArray, lt } from 'drizzle-orm'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../sweep.ts'

/** reliability.md §9. */
const KEPT_MS = 400 * 24 * 3_600_000

/** Part of `gc`: forgets what was done 400 days ago. */
export const oldAudit: Sweep = {
  name: 'audit',
  async run({ db, now }, run) {
    const { audit } = db.t
    const isOld = lt(audit.at, new Date(now().getTime() - KEPT_MS))
    return {
      forgotten: await sweepRows(
        run,
        () => db.q.$count(audit, isOld),
        ({ q }) => {
          const some = q.select({ id: audit.id }).from(audit).where(isOld).limit(SWEEP_ROWS)
          return q.delete(audit).where(inArray(audit.id, some)).returning({ id: audit.id })
        },
      ),
    }
  },
}
