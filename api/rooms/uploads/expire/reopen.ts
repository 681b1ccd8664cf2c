import { eq } from 'drizzle-orm'
import type { Db } from '../../../stores/db/index.ts'

/**
 * Before serving: opens the uploads whose completion died with the last server, so that a repeated completion need not
 * wait for the lease to lapse. What a job verifies continues
 * with that job. Only on SQLite, where the lock of the data folder proves that no other server runs.
 */
export async function reopenAbandoned(db: Db): Promise<void> {
  if (db.engine !== 'sqlite') return
  await db.write(({ q, t: { uploads } }) =>
    q.update(uploads).set({ status: 'open', lease_until: null }).where(eq(uploads.status, 'joining')),
  )
}
