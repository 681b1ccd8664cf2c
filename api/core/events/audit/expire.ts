import { asc, eq, inArray, lt } from 'drizzle-orm'
import type { Tx } from '../../../stores/db/index.ts'
import { SWEEP_ROWS, sweepRows, type Sweep } from '../../sweep.ts'

/** reliability.md §9: 400 days. */
export const KEPT_MS = 400 * 24 * 3_600_000

/** Deletes the oldest sealed rows that are too old; of their seals the last stays, for the chain begins with it. */
async function expireSome({ q, t: { audit, audit_seals } }: Tx, before: Date): Promise<{ id: string }[]> {
  const oldest = await q
    .select({ seq: audit_seals.seq, id: audit.id, at: audit.at })
    .from(audit_seals)
    .innerJoin(audit, eq(audit.id, audit_seals.audit_id))
    .orderBy(asc(audit_seals.seq))
    .limit(SWEEP_ROWS)
  const young = oldest.findIndex(({ at }) => at >= before)
  const old = young === -1 ? oldest : oldest.slice(0, young)
  const last = old.at(-1)
  if (!last) return []
  const ids = old.map(({ id }) => id)
  await q.delete(audit_seals).where(lt(audit_seals.seq, last.seq))
  return q.delete(audit).where(inArray(audit.id, ids)).returning({ id: audit.id })
}

/** Part of `gc`: deletes what was done 400 days ago. A row that no seal covers stays, as evidence. */
export const oldAudit: Sweep = {
  name: 'audit',
  async run({ db, now }, run) {
    const { audit } = db.t
    const before = new Date(now().getTime() - KEPT_MS)
    return {
      forgotten: await sweepRows(
        run,
        () => db.q.$count(audit, lt(audit.at, before)),
        (tx) => expireSome(tx, before),
      ),
    }
  },
}
