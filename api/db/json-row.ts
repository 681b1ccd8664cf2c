import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Db } from './db.ts'

const words = {
  sqlite: { row: sql.raw('json_array'), list: sql.raw('json_group_array') },
  postgres: { row: sql.raw('json_build_array'), list: sql.raw('json_agg') },
}

/** SQLite gives JSON as text; the Postgres client has read it already. Lists of no rows are `null` there. */
const decoded = (value: unknown): unknown =>
  typeof value === 'string' ? (JSON.parse(value) as unknown) : value

/**
 * The values as one array in one column, for long lists of wide rows: through libsql's client a column costs 0.5 µs for
 * each row, and reading it by drizzle as much again. Values are what JSON makes of them: times are milliseconds on SQLite
 * and ISO 8601 on Postgres, there is no place for bytes.
 */
export const jsonRow = ({ engine }: Pick<Db, 'engine'>, values: readonly SQLWrapper[]): SQL<unknown[]> =>
  sql`${words[engine].row}(${sql.join([...values], sql`, `)})`.mapWith(decoded) as SQL<unknown[]>

/** The texts that a statement finds, in their order, as one value of a `jsonRow`; `null` or empty where it finds none. */
export const jsonTexts = (
  { engine }: Pick<Db, 'engine'>,
  text: SQLWrapper,
  from: SQL,
): SQL<string[] | null> => sql`(select ${words[engine].list}(${text} order by ${text}) ${from})`
