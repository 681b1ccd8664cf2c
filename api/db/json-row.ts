import { Column, is, sql, type GetColumnData, type SQL } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

type Fields = Record<string, SQLiteColumn | SQL>
type RowOf<F extends Fields> = {
  [K in keyof F]: F[K] extends SQLiteColumn ? GetColumnData<F[K]> : F[K] extends SQL<infer T> ? T : never
}

const words = {
  sqlite: { row: sql.raw('json_array'), list: sql.raw('json_group_array') },
  postgres: { row: sql.raw('json_build_array'), list: sql.raw('json_agg') },
}

/** Columns have the types of SQLite on either engine, and are what the engine has. */
const engineOf = (column: unknown) => (is(column, PgColumn) ? 'postgres' : 'sqlite')

/**
 * The fields as one JSON array in one column, for lists of many wide rows: through libsql's client and drizzle a column
 * costs 1 µs for each row. What is read are objects of the fields, with columns as a plain `select` has them; those of
 * bytes are given as `jsonHex`, and columns of outer joins as SQL that says it may be null. The first field is a column.
 */
export function jsonRow<F extends Fields>(fields: F): SQL<RowOf<F>> {
  // Looked at once, not for each row.
  const names = Object.entries(fields).map(([name, field]) => ({
    name,
    column: is(field, Column) ? field : undefined,
  }))
  const array = sql`${words[engineOf(names[0]?.column)].row}(${sql.join(Object.values(fields), sql`, `)})`
  return array.mapWith((found: unknown) => {
    // SQLite gives JSON as text; the Postgres client has read it already.
    const values = (typeof found === 'string' ? JSON.parse(found) : found) as unknown[]
    const row: Record<string, unknown> = {}
    for (const [i, { name, column }] of names.entries()) {
      const value = values[i]
      row[name] = value === null || !column ? value : column.mapFromDriverValue(value)
    }
    return row as RowOf<F>
  })
}

/** Within a `jsonRow`: the texts that a statement finds, in their order; `null` or empty where there are none. */
export const jsonTexts = (text: SQLiteColumn, from: SQL): SQL<string[] | null> =>
  sql`(select ${words[engineOf(text)].list}(${text} order by ${text}) ${from})`

/** Within a `jsonRow`: bytes as lower-case hexadecimal digits. */
export const jsonHex = (bytes: SQLiteColumn): SQL<string | null> =>
  engineOf(bytes) === 'sqlite' ? sql`nullif(lower(hex(${bytes})), '')` : sql`encode(${bytes}, 'hex')`
