import type { Transaction } from '@libsql/client/sqlite3'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrationsFolder, openDb, type DatabaseConfig } from '../open.ts'
import type { Schema } from '../schema.ts'
import type { DumpTable } from './tables.ts'
import { toPostgres, toSqlite, type DumpValue } from './values.ts'

/** Values of one statement; SQLite takes 32 766, Postgres 65 535. */
const MAX_VALUES = 8000

/** What a dump was made of. */
export interface DumpShape {
  /** The last migration of the database it was made from, such as `0021_add_datasets`. */
  migration: string
  /** In an order in which no row refers to one that comes later. */
  tables: DumpTable[]
}

/** The database has rows already, so that a dump cannot be loaded. */
export class NotEmpty extends Error {}

/** The dump is of a newer release. */
export class TooNew extends Error {}

interface Journal {
  entries: { tag: string }[]
}

/** The last migration that this release brings a database to. */
export async function lastMigration(engine: DatabaseConfig['driver']): Promise<string> {
  return (await readJournal(migrationsFolder(engine))).entries.at(-1)?.tag ?? ''
}

const readJournal = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal

/** A folder with the migrations up to and with `last`. */
async function withMigrationsUpTo<T>(
  engine: DatabaseConfig['driver'],
  last: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const all = migrationsFolder(engine)
  const journal = await readJournal(all)
  const end = journal.entries.findIndex(({ tag }) => tag === last)
  if (end < 0) throw new TooNew(`this release does not know the migration ${last}`)
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-migrations-'))
  try {
    const entries = journal.entries.slice(0, end + 1)
    for (const { tag } of entries) await cp(join(all, `${tag}.sql`), join(folder, `${tag}.sql`))
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type RowsOf = (table: DumpTable) => AsyncIterable<DumpValue[]>

/**
 * Loads a dump into an empty database of either engine: brings it to the dump's migration, writes all rows in one
 * transaction, and then applies the later migrations. Throws `NotEmpty` where a table has rows, `TooNew` for a dump of a
 * later release.
 */
export async function loadDump(
  database: DatabaseConfig,
  { schema, shape, rows }: { schema: Schema; shape: DumpShape; rows: RowsOf },
): Promise<void> {
  await withMigrationsUpTo(database.driver, shape.migration, async (folder) => {
    const db = await openDb(database, schema, folder)
    await db.close()
  })
  const sink = await openSink(database)
  try {
    if ((await sink.countMigrations()) !== (await countUpTo(database.driver, shape.migration)))
      throw new NotEmpty('its tables are those of a later release')
    const filled = await filledTable(sink, shape.tables)
    if (filled) throw new NotEmpty(`the table ${filled} has rows`)
    await sink.begin()
    for (const table of shape.tables) await loadTable(sink, table, rows)
    await sink.commit()
  } finally {
    await sink.close()
  }
  const db = await openDb(database, schema)
  await db.close()
}

async function countUpTo(engine: DatabaseConfig['driver'], last: string): Promise<number> {
  const { entries } = await readJournal(migrationsFolder(engine))
  return entries.findIndex(({ tag }) => tag === last) + 1
}

async function filledTable(sink: Sink, tables: DumpTable[]): Promise<string | undefined> {
  for (const { name } of tables) if (await sink.hasRows(name)) return name
  return undefined
}

/** Whether any of these tables is there and has a row. Creates nothing. */
export async function hasRows(database: DatabaseConfig, tables: DumpTable[]): Promise<boolean> {
  if (database.driver === 'sqlite' && !existsSync(database.dsn)) return false
  const sink = await openSink(database)
  try {
    return (await filledTable(sink, tables)) !== undefined
  } finally {
    await sink.close()
  }
}

async function loadTable(sink: Sink, table: DumpTable, rows: RowsOf): Promise<void> {
  const most = Math.max(1, Math.floor(MAX_VALUES / table.columns.length))
  let held: DumpValue[][] = []
  for await (const row of rows(table)) {
    held.push(row)
    if (held.length < most) continue
    await sink.insert(table, held)
    held = []
  }
  if (held.length > 0) await sink.insert(table, held)
}

/** Where rows go. Closing one that was not committed leaves nothing of them. */
interface Sink {
  countMigrations(): Promise<number>
  /** `false` also where there is no such table. */
  hasRows(table: string): Promise<boolean>
  begin(): Promise<void>
  insert(table: DumpTable, rows: DumpValue[][]): Promise<void>
  commit(): Promise<void>
  close(): Promise<void>
}

const openSink = ({ driver, dsn }: DatabaseConfig): Promise<Sink> =>
  driver === 'sqlite' ? sqliteSink(dsn) : postgresSink(dsn)

const into = ({ name, columns }: DumpTable) =>
  `INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(', ')}) VALUES `

async function sqliteSink(path: string): Promise<Sink> {
  const { createClient } = await import('@libsql/client/sqlite3')
  const client = createClient({ url: `file:${resolve(path)}`, intMode: 'number', concurrency: 1 })
  const run = (sql: string, args: (string | number | Buffer | null)[] = []) => client.execute({ sql, args })
  await run('PRAGMA synchronous = FULL')
  let tx: Transaction | undefined
  const within = () => tx ?? client
  return {
    countMigrations: async () =>
      Number((await run('SELECT count(*) FROM __drizzle_migrations')).rows[0]?.[0] ?? 0),
    async hasRows(table) {
      const { rows } = await run('SELECT 1 FROM sqlite_schema WHERE name = ?', [table])
      return rows.length > 0 && (await run(`SELECT 1 FROM "${table}" LIMIT 1`)).rows.length > 0
    },
    async begin() {
      await run('PRAGMA foreign_keys = ON')
      tx = await client.transaction('write')
      await tx.execute('PRAGMA defer_foreign_keys = ON')
    },
    async insert(table, rows) {
      const row = `(${table.columns.map(() => '?').join(', ')})`
      const values = rows.flatMap((cells) =>
        table.columns.map(({ kind }, i) => toSqlite(kind, cells[i] ?? null)),
      )
      await within().execute({ sql: into(table) + rows.map(() => row).join(', '), args: values })
    },
    commit: async () => tx?.commit(),
    async close() {
      tx?.close()
      client.close()
    },
  }
}

async function postgresSink(url: string): Promise<Sink> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, application_name: 'arsenal-restore' })
  client.on('error', () => undefined)
  await client.connect()
  return {
    async countMigrations() {
      const { rows } = await client.query<{ n: string }>(
        'SELECT count(*) AS n FROM drizzle.__drizzle_migrations',
      )
      return Number(rows[0]?.n ?? 0)
    },
    async hasRows(table) {
      const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [
        `public."${table}"`,
      ])
      if (rows[0]?.name == null) return false
      return (await client.query(`SELECT 1 FROM "${table}" LIMIT 1`)).rows.length > 0
    },
    async begin() {
      await client.query('BEGIN')
    },
    async insert(table, rows) {
      let n = 0
      const places = rows.map(() => `(${table.columns.map(() => `$${++n}`).join(', ')})`)
      const values = rows.flatMap((cells) =>
        table.columns.map(({ kind }, i) => toPostgres(kind, cells[i] ?? null)),
      )
      await client.query(into(table) + places.join(', '), values)
    },
    async commit() {
      await client.query('COMMIT')
    },
    // The transaction ends with the connection.
    close: () => client.end(),
  }
}
