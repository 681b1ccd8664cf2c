import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { AfterCommit } from './after-commit.ts'
import { columns as postgresColumns } from './columns.postgres.ts'
import type { Columns } from './columns.sqlite.ts'
import type { Db, Reads, Tx, Writes } from './db.ts'
import { isConnectionLost, isRetryable, isUnsent, translateError } from './errors.ts'
import { keepFor, type Keep } from './keep.ts'
import type { Schema, Tables } from './schema.ts'
import { timeQueries } from './timed-statements.ts'

// `columns.*.ts` are held equal by the compiler and `columns.test.ts`; the canon's types describe both.
const columns = postgresColumns as unknown as Columns
const asCanon = (q: NodePgDatabase) => q as unknown as Writes

// Any constant works, so long as every Arsenal process uses it.
const migrationLock = 0x41525345
const maxAttempts = 5
// A process that is frozen or cut off inside a transaction keeps rows from all others; none of ours is idle so long.
const idleInTransactionMs = 15_000
// Longer than that, so that a caller outlasts the process it waits for.
const lockMs = 20_000

type Access = 'read write' | 'repeatable read, read only'

/** How far an attempt had come when it failed. */
interface Progress {
  /** COMMIT was sent: the server may have committed although no answer arrived. */
  isCommitting: boolean
}

class PostgresDb implements Db {
  readonly engine = 'postgres'
  readonly keep: Keep<Db> = keepFor<Db>(this)
  readonly version = undefined
  readonly t: Tables
  readonly q: Reads
  #pool: pg.Pool

  constructor(pool: pg.Pool, schema: Schema) {
    this.t = schema(columns)
    this.#pool = pool
    this.q = asCanon(drizzle(pool))
  }

  async write<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact('read write', change)
  }

  async snapshot<T>(read: (tx: Pick<Tx, 'q' | 't'>) => Promise<T>): Promise<T> {
    return this.#transact('repeatable read, read only', read)
  }

  async #transact<T>(access: Access, body: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const after = new AfterCommit()
      const progress: Progress = { isCommitting: false }
      const begun = (tx: Pick<Tx, 'q' | 't'>) => body({ ...tx, afterCommit: after.add })
      let result: T
      try {
        result = await this.#attempt(access, begun, progress)
      } catch (error) {
        const isLost = isConnectionLost(error)
        const isUndone = isRetryable(error) || (isLost && (!progress.isCommitting || isUnsent(error)))
        if (!isUndone || attempt === maxAttempts) throw translateError(error)
        await pause(2 ** attempt * (isLost ? 50 : 5) * Math.random())
        continue
      }
      after.run()
      return result
    }
  }

  // Not drizzle's own, which keeps a connection for ever whose BEGIN failed, and hides a failure behind its ROLLBACK's.
  async #attempt<T>(
    access: Access,
    body: (tx: Pick<Tx, 'q' | 't'>) => Promise<T>,
    progress: Progress,
  ): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      await client.query(
        `BEGIN ${access === 'read write' ? '' : 'ISOLATION LEVEL REPEATABLE READ, READ ONLY'}`,
      )
      const result = await body({ q: asCanon(drizzle(client)), t: this.t })
      progress.isCommitting = true
      await client.query('COMMIT')
      return result
    } catch (error) {
      // One that leads to what is a standby now would fail again.
      if (error instanceof Error && isConnectionLost(error)) broken = error
      else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  }

  async check(): Promise<void> {
    const { rows } = await this.#pool
      .query<{ readonly: string }>(`SELECT current_setting('transaction_read_only') AS readonly`)
      .catch((error: unknown) => Promise.reject(translateError(error)))
    if (rows[0]?.readonly !== 'off') throw new Error('the database takes no writes: it is a standby')
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async migrate(folder: string): Promise<void> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      // Another starter's migration may take long; it is waited for.
      await client.query('SET lock_timeout = 0')
      await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
      await migrate(drizzle(client), { migrationsFolder: folder })
      await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
      await client.query('RESET lock_timeout')
    } catch (error) {
      // The lock ends with the connection.
      broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Connects to the database at `url`, brought up to date from `migrationsFolder` under an advisory lock. */
export async function openPostgres(
  url: string,
  {
    schema,
    maxConnections,
    migrationsFolder,
  }: { schema: Schema; maxConnections: number; migrationsFolder: string },
): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    lock_timeout: lockMs,
    application_name: 'arsenal',
  })
  // A connection that breaks fails the query under way, or is replaced on next use. Without listeners, of the pool for
  // idle ones and of each for those in use, it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    timeQueries(client)
  })
  const db = new PostgresDb(pool, schema)
  try {
    await db.migrate(migrationsFolder)
  } catch (error) {
    await pool.end()
    throw error
  }
  return db
}
