import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { World } from '../../../testing.ts'

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

export const columnsOf = (table: Db['t'][keyof Db['t']]): string[] =>
  Object.values(getTableColumns(table)).map((column) => column.name)

function tableText(engine: Db['engine'], table: Db['t'][keyof Db['t']]): string {
  const name = getTableName(table)
  const row = rowText[engine](columnsOf(table).filter((column) => !traces.has(`${name}.${column}`)))
  const rows = `SELECT ${row} AS line FROM ${name} WHERE ${kept[name] ?? 'true'} ORDER BY 1`
  return `SELECT '${name}' AS name, (SELECT ${aggregate[engine]}(line, ';') FROM (${rows}) AS lines) AS held`
}

/** The statement of each table that is compared: made once, since they are run after thousands of requests. */
const texts: Partial<Record<Db['engine'], Map<string, string>>> = {}

function textsOf({ engine, t }: Db): Map<string, string> {
  const compared = Object.values(t).filter((table) => !traces.has(getTableName(table)))
  return new Map(compared.map((table) => [getTableName(table), tableText(engine, table)]))
}

/**
 * What is stored, to be compared: table → its rows as text, in no order of their own, without the traces of having asked.
 * Of all tables, or of those that are named.
 */
export async function stateOf({ db }: World, names?: string[]): Promise<Record<string, string | null>> {
  const all = (texts[db.engine] ??= textsOf(db))
  const chosen = [...all].filter(([name]) => names?.includes(name) ?? true).map(([, text]) => text)
  if (chosen.length === 0) return {}
  const state = sql.raw(`(${chosen.join(' UNION ALL ')}) AS state`)
  const rows = await db.q.select({ name: sql<string>`name`, held: sql<string | null>`held` }).from(state)
  return Object.fromEntries(rows.map(({ name, held }) => [name, held]))
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
