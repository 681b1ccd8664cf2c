import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../stores/db/index.ts'

/**
 * Before serving: opens the Uploads whose completion died with the last server, so that a repeated completion need not
 * wait for the lease to lapse. What a Job verifies goes on with it. On SQLite alone, where the data folder's lock proves that no other server is at one.
 */
export async function reopenAbandoned(db: Db): Promise<void> {
  if (db.engine !== 'sqlite') return
  await db.write(({ q, t: { uploads } }) =>
    q
      .update(uploads)
      .set({ status: 'open', lease_until: null })
      .where(and(eq(uploads.status, 'completing'), isNull(uploads.job_id))),
  )
}
