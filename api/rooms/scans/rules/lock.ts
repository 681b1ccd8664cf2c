import { sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../../stores/db/index.ts'
import { readRules, type Rules } from './apply.ts'

/*
 * A change of rules is followed by a job that judges again what was committed by then. A transaction that read the rules
 * before and commits after that job would leave a verdict of the earlier rules. So each that writes verdicts shares this
 * lock of Postgres until it ends, and each that changes rules waits for all of them. A transaction of SQLite is the only
 * writer from its beginning.
 */

// Any constant works, so long as every Arsenal process uses it, and for nothing else.
const lockKey = 0x41525347

type Engine = Pick<Db, 'engine'>

/** The rules, which stay as they are until `tx` ends. */
export async function holdRules(tx: Tx, db: Engine): Promise<Rules> {
  await lock(tx, db, sql`pg_advisory_xact_lock_shared(${lockKey})`)
  return readRules(tx)
}

/** Waits for verdicts that are being written by the rules of now; none is until `tx` ends. */
export const lockRules = (tx: Tx, db: Engine): Promise<void> =>
  lock(tx, db, sql`pg_advisory_xact_lock(${lockKey})`)

async function lock({ q }: Tx, { engine }: Engine, call: SQL): Promise<void> {
  if (engine === 'postgres') await q.select({ locked: sql`${call}::text` }).from(sql`(select 1) as one`)
}
