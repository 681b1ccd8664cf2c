import { resolve } from 'node:path'
import type { DatabaseConfig } from '../open.ts'
import type { DumpTable } from './tables.ts'
import { parsedJson, toDump, type DumpValue } from './values.ts'

/** Rows read at once: together they stay small beside the buffers of a copy. */
const PAGE = 500

/** A database as of one moment, whatever others write meanwhile. */
export interface Dump {
  /** Every row of a table, its values in the order of the table's columns. */
  rows(table: DumpTable): AsyncGenerator<DumpValue[]>
  close(): Promise<void>
}

/**
 * Opens a view of the configured database that stays as it is now: a read transaction of its own connection. SQLite
 * writers are not held up by it; their log grows until it is closed.
 */
export function openDump({ driver, dsn }: Pick<DatabaseConfig, 'driver' | 'dsn'>): Promise<Dump> {
  return driver === 'sqlite' ? openSqliteDump(dsn) : openPostgresDump(dsn)
}

const quoted = (name: string) => `"${name}"`
const columnList = (table: DumpTable) => table.columns.map(({ name }) => quoted(name)).join(', ')

async function openSqliteDump(path: string): Promise<Dump> {
  const { createClient } = await import('@libsql/client/sqlite3')
  const client = createClient({ url: `file:${resolve(path)}`, intMode: 'number', concurrency: 1 })
  const tx = await client.transaction('read')
  // A transaction sees the moment of its first read.
  await tx.execute('SELECT count(*) FROM sqlite_schema')
  return {
    async *rows(table) {
      const select = `SELECT rowid AS "rowid of dump", ${columnList(table)} FROM ${quoted(table.name)}`
      for (let after = -1; ;) {
        const { rows } = await tx.execute({
          sql: `${select} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
          args: [after],
        })
        for (const row of rows)
          yield table.columns.map(({ kind }, i) => toDump(kind, parsedJson(kind, row[i + 1])))
        const last = rows.at(-1)
        if (!last) return
        after = Number(last[0])
      }
    },
    close: async () => {
      tx.close()
      client.close()
    },
  }
}

async function openPostgresDump(url: string): Promise<Dump> {
  const { default: pg } = await import('pg')
  // The view stays open while its rows are written to a place that may be slow.
  const client = new pg.Client({
    connectionString: url,
    application_name: 'arsenal-backup',
    idle_in_transaction_session_timeout: 0,
  })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  await client.query('SELECT 1')
  return {
    async *rows(table) {
      await client.query(
        `DECLARE dump NO SCROLL CURSOR FOR SELECT ${columnList(table)} FROM ${quoted(table.name)}`,
      )
      for (;;) {
        const { rows } = await client.query<unknown[]>({ text: `FETCH ${PAGE} FROM dump`, rowMode: 'array' })
        for (const row of rows) yield table.columns.map(({ kind }, i) => toDump(kind, row[i]))
        if (rows.length < PAGE) break
      }
      await client.query('CLOSE dump')
    },
    close: () => client.end(),
  }
}
