import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { columns as postgresColumns } from './columns.postgres.ts'
import type { Columns } from './columns.sqlite.ts'
import type { Db, Reads, Tx, Writes } from './db.ts'
import { isRetryable, translateError } from './errors.ts'
import { schema } from './schema.ts'

// `columns.*.ts` are held equal by the compiler and `columns.test.ts`; the canon's types describe both.
const columns = postgresColumns as unknown as Columns
const asCanon = (q: NodePgDatabase) => q as unknown as Writes

// Any constant works, so long as every Arsenal process uses it.
const migrationLock = 0x41525345
const maxAttempts = 5

class PostgresDb implements Db {
  readonly engine = 'postgres'
  readonly version = undefined
  readonly t = schema(columns)
  readonly q: Reads
  #pool: pg.Pool
  #drizzle: NodePgDatabase

  constructor(pool: pg.Pool) {
    this.#pool = pool
    this.#drizzle = drizzle(pool)
    this.q = asCanon(this.#drizzle)
  }

  async write<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#drizzle.transaction((tx) =>
          change({ q: asCanon(tx as unknown as NodePgDatabase), t: this.t }),
        )
      } catch (error) {
        if (!isRetryable(error) || attempt === maxAttempts) throw translateError(error)
        await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * Math.random()))
      }
    }
  }

  async snapshot<T>(read: (tx: Pick<Tx, 'q' | 't'>) => Promise<T>): Promise<T> {
    return this.#drizzle.transaction(
      (tx) => read({ q: asCanon(tx as unknown as NodePgDatabase), t: this.t }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
  }

  async check(): Promise<void> {
    await this.#pool.query('SELECT 1')
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async migrate(folder: string): Promise<void> {
    const client = await this.#pool.connect()
    try {
      await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
      await migrate(drizzle(client), { migrationsFolder: folder })
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
      client.release()
    }
  }
}

/** Connects to the database at `url`, brought up to date from `migrationsFolder` under an advisory lock. */
export async function openPostgres(
  url: string,
  { maxConnections, migrationsFolder }: { maxConnections: number; migrationsFolder: string },
): Promise<Db> {
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks is replaced on next use; without a listener it would end the process.
  pool.on('error', () => undefined)
  const db = new PostgresDb(pool)
  await db.migrate(migrationsFolder)
  return db
}
