import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm'
import type { World } from '../../../testing.ts'

type Row = Record<string, unknown>
/** Every row of every table, by table; parents before their children. */
export type Rows = Record<string, Row[]>

export async function rowsOf({ db }: World): Promise<Rows> {
  const rows: Rows = {}
  for (const [name, table] of Object.entries(db.t)) rows[name] = await db.q.select().from(table)
  return rows
}

/**
 * What a refused request may leave behind: when a credential was used, how often it was wrong, and a note of that; of reads
 * also what a file says of itself, which is kept so that it is read once.
 */
const traces = new Set(['throttles', 'tokens.last_used_at', 'sessions.last_seen_at', 'file_facts'])
const kept: Record<string, string> = { audit: "outcome IS DISTINCT FROM 'refused'" }

type Db = World['db']

/** A row as text, in SQL. */
const rowText: Record<Db['engine'], (columns: string[]) => string> = {
  sqlite: (columns) => columns.map((column) => `quote("${column}")`).join(` || ',' || `),
  postgres: (columns) => `ROW(${columns.map((column) => `"${column}"`).join(', ')})::text`,
}
const aggregate: Record<Db['engine'], string> = { sqlite: 'group_concat', postgres: 'string_agg' }

function tableText(engine: Db['engine'], table: Db['t'][keyof Db['t']]): string {
  const name = getTableName(table)
  const columns = Object.values(getTableColumns(table)).map((column) => column.name)
  const row = rowText[engine](columns.filter((column) => !traces.has(`${name}.${column}`)))
  const rows = `SELECT ${row} AS line FROM ${name} WHERE ${kept[name] ?? 'true'} ORDER BY 1`
  return `SELECT '${name}' AS name, (SELECT ${aggregate[engine]}(line, ';') FROM (${rows}) AS lines) AS held`
}

const statements: Partial<Record<Db['engine'], SQL>> = {}

function stateOfAll({ engine, t }: Db): SQL {
  const compared = Object.values(t).filter((table) => !traces.has(getTableName(table)))
  return sql.raw(`(${compared.map((table) => tableText(engine, table)).join(' UNION ALL ')}) AS state`)
}

/**
 * What is stored, to be compared: table → its rows as text, in no order of their own, without the traces of having asked.
 * One statement, made once: it is run after thousands of requests.
 */
export async function stateOf({ db }: World): Promise<Record<string, string | null>> {
  const all = (statements[db.engine] ??= stateOfAll(db))
  const rows = await db.q.select({ name: sql<string>`name`, held: sql<string | null>`held` }).from(all)
  return Object.fromEntries(rows.map(({ name, held }) => [name, held]))
}

/** Makes the tables hold these rows and no others. */
export async function restore({ db }: World, rows: Rows): Promise<void> {
  await db.write(async ({ q, t }) => {
    const tables = Object.entries(t)
    for (const [, table] of tables.toReversed()) await q.delete(table)
    for (const [name, table] of tables) {
      const held = rows[name] ?? []
      if (held.length > 0) await q.insert(table).values(held as never)
    }
  })
}

/** Answers how many transactions have been committed or tried since. Those of one server, whatever else its database serves. */
export function countWrites({ db }: World): () => number {
  let count = 0
  const write = db.write.bind(db)
  db.write = (change) => write(change).finally(() => count++)
  return () => count
}

/** Forgets failed attempts, which would hide what the next request is refused for. */
export async function forgetThrottles({ db }: World): Promise<void> {
  await db.write(({ q, t }) => q.delete(t.throttles))
}
