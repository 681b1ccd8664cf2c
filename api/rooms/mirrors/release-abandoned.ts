import { isNotNull } from 'drizzle-orm'
import type { Db } from '../../stores/db/index.ts'

/**
 * Before serving: releases what the last server was fetching from upstreams, so that readers need not wait for its leases
 * to lapse. Only on SQLite, where the lock of the data folder proves that no other server runs.
 */
export async function releaseAbandoned(db: Db): Promise<void> {
  if (db.engine !== 'sqlite') return
  await db.write(async ({ q, t: { transfers, upstream_looks: looks } }) => {
    await q.update(transfers).set({ lease_until: null, holder: null }).where(isNotNull(transfers.lease_until))
    await q.delete(looks).where(isNotNull(looks.holder))
  })
}
