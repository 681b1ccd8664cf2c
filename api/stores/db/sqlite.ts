// The driver of files alone: the package's own entry brings those of remote databases with it.
import { createClient, type Client, type Transaction, type TransactionMode } from '@libsql/client/sqlite3'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AfterCommit } from './after-commit.ts'
import { columns } from './columns.sqlite.ts'
import type { Db, Tx } from './db.ts'
import { isBusy, translateError } from './errors.ts'
import { keepFor, type Keep } from './keep.ts'
import type { Schema, Tables } from './schema.ts'
import { timedClient } from './timed-statements.ts'

/** How long a statement waits for another process, such as a command beside the server. */
const PATIENCE_MS = 5000

// FULL: a commit that was answered survives power loss (reliability.md §14).
const pragmas = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  `PRAGMA busy_timeout = ${PATIENCE_MS}`,
]

async function connect(path: string): Promise<Client> {
  // Pragmas belong to a connection, so each client keeps exactly one. Its statements are synchronous anyhow.
  const client = createClient({ url: `file:${path}`, intMode: 'number', concurrency: 1 })
  await setUp(client)
  return timedClient(client)
}

async function setUp(client: Client): Promise<void> {
  for (const pragma of pragmas) await client.execute(pragma)
}

/** SQLite waits in this thread, where everything stands still meanwhile. Its own waits begin with 1, 2 and 5 ms. */
const STANDSTILL_MS = 5
const LONGEST_PAUSE_MS = 100

/** Waits for the lock of the writing connection in turns, so that a long change of another process freezes nothing. */
async function makePatient(writer: Client): Promise<void> {
  const hurry = `PRAGMA busy_timeout = ${STANDSTILL_MS}`
  await writer.execute(hurry)
  const begin: (mode?: TransactionMode) => Promise<Transaction> = writer.transaction.bind(writer) as never
  writer.transaction = async (mode?: TransactionMode) => {
    const latest = performance.now() + PATIENCE_MS
    for (let pauseMs = STANDSTILL_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await begin(mode)
      } catch (error) {
        if (!isBusy(error)) throw error
        // libsql 0.5 leaves the statement that met the lock in progress, and no change can be committed beside it.
        writer.reconnect()
        await setUp(writer)
        await writer.execute(hurry)
        if (performance.now() > latest) throw error
      }
      await pause(pauseMs)
    }
  }
}

/** One connection reads, one writes; writers queue for it, since a second one would freeze the event loop. */
class SqliteDb implements Db {
  readonly engine = 'sqlite'
  readonly keep: Keep<Db> = keepFor<Db>(this)
  readonly t: Tables
  readonly q: LibSQLDatabase
  version = 0
  #reader: Client
  #writer: Client
  #writes: LibSQLDatabase
  #tail: Promise<unknown> = Promise.resolve()

  constructor(reader: Client, writer: Client, schema: Schema) {
    this.t = schema(columns)
    this.#reader = reader
    this.#writer = writer
    this.q = drizzle(reader)
    this.#writes = drizzle(writer)
  }

  write<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    const after = new AfterCommit()
    const turn = this.#tail.then(() => this.#transact(change, after))
    this.#tail = turn.catch(() => undefined)
    return turn.then((result) => {
      after.run()
      return result
    })
  }

  async #transact<T>(change: (tx: Tx) => Promise<T>, after: AfterCommit): Promise<T> {
    try {
      // libsql begins it IMMEDIATE, so it never has to upgrade a read lock.
      return await this.#writes.transaction((q) => change({ q, t: this.t, afterCommit: after.add }))
    } catch (error) {
      throw translateError(error)
    } finally {
      this.version++
    }
  }

  // The writer's turn is a consistent state, and costs less than a third connection.
  snapshot<T>(read: (tx: Pick<Tx, 'q' | 't'>) => Promise<T>): Promise<T> {
    const turn = this.#tail.then(() => read({ q: this.#writes, t: this.t }))
    this.#tail = turn.catch(() => undefined)
    return turn
  }

  async check(): Promise<void> {
    // BEGIN IMMEDIATE takes the lock for writing, which a read-only file or folder refuses.
    await this.write(() => Promise.resolve())
  }

  /** Takes a turn as a change does: a request that is still ending may queue one meanwhile, which is refused. */
  close(): Promise<void> {
    const turn = this.#tail.then(async () => {
      await this.#writer.execute(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
      await this.#writer.execute('PRAGMA wal_checkpoint(TRUNCATE)')
      this.#reader.close()
      this.#writer.close()
    })
    this.#tail = turn.catch(() => undefined)
    return turn
  }

  async migrate(folder: string): Promise<void> {
    await migrate(this.#writes, { migrationsFolder: folder })
  }
}

/**
 * Makes the file, where it is absent, for its owner alone: it holds digests of passwords and tokens. SQLite gives its
 * log and shared memory the mode of the file (os_unix.c, findCreateFileMode).
 */
async function createOwned(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  await handle.close()
}

/** Opens (and where needed creates) the SQLite file at `path`, brought up to date from `migrationsFolder`. */
export async function openSqlite(
  path: string,
  { schema, migrationsFolder }: { schema: Schema; migrationsFolder: string },
): Promise<Db> {
  const file = resolve(path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await createOwned(file)
  const writer = await connect(file)
  const db = new SqliteDb(await connect(file), writer, schema)
  await db.migrate(migrationsFolder)
  await makePatient(writer)
  return db
}
