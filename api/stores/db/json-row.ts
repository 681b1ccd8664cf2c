import { Column, is, sql, type GetColumnData, type SQL } from 'drizzle-orm'
import { PgColumn, PgDialect } from 'drizzle-orm/pg-core'
import { SQLiteAsyncDialect, type SQLiteColumn } from 'drizzle-orm/sqlite-core'

type Fields = Record<string, SQLiteColumn | SQL>
type RowOf<F extends Fields> = {
  [K in keyof F]: F[K] extends SQLiteColumn ? GetColumnData<F[K]> : F[K] extends SQL<infer T> ? T : never
}

const words = {
  sqlite: {
    row: sql.raw('json_array'),
    list: sql.raw('json_group_array'),
    dialect: new SQLiteAsyncDialect(),
  },
  postgres: { row: sql.raw('json_build_array'), list: sql.raw('json_agg'), dialect: new PgDialect() },
}

/** Columns have the types of SQLite on either engine, and are what the engine has. */
const engineOf = (column: unknown) => (is(column, PgColumn) ? 'postgres' : 'sqlite')

/** SQL without parameters as its text: drizzle takes microseconds for each name it writes. `column` tells the engine. */
function fixedSql(column: unknown, piece: SQL): SQL {
  const { sql: text, params } = words[engineOf(column)].dialect.sqlToQuery(piece)
  if (params.length > 0) throw new Error('a fixed piece of SQL has parameters')
  return sql.raw(text)
}

/** Rows that are read as JSON. */
export interface JsonRow<T> {
  /** Each row by itself. */
  one: SQL<T>
  /** All rows of a statement as one value, in an order. */
  all(order: (SQLiteColumn | SQL)[]): SQL<T[]>
}

/** SQLite gives JSON as text; the Postgres client has read it already. */
const parsed = (found: unknown): unknown => (typeof found === 'string' ? JSON.parse(found) : found)

/** A row of the values; most columns give what the database has, and need no reading. */
function readerOf<T>(fields: Fields): (values: unknown[]) => T {
  const names = Object.keys(fields)
  const read = Object.values(fields).map((field) =>
    is(field, Column) && field.mapFromDriverValue !== Column.prototype.mapFromDriverValue ? field : undefined,
  )
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) {
      const value = values[i]
      const column = read[i]
      row[names[i] ?? ''] = value === null || !column ? value : column.mapFromDriverValue(value)
    }
    return row as T
  }
}

/**
 * The fields as one JSON array, for lists of many wide rows: through libsql's client and drizzle a column costs 1 µs for
 * each row, and a row 5. What is read are objects of the fields, with columns as a plain `select` has them; those of
 * bytes are given as `jsonHex`, and texts of outer joins as `jsonOuter`. The first field is a column,
 * and none has parameters: a row is made once for a schema, as text.
 */
export function jsonRow<F extends Fields>(fields: F): JsonRow<RowOf<F>> {
  const columns = Object.values(fields)
  const { row, list } = words[engineOf(columns[0])]
  const array = fixedSql(columns[0], sql`${row}(${sql.join(columns, sql`, `)})`)
  const read = readerOf<RowOf<F>>(fields)
  return {
    one: sql`${array}`.mapWith((found: unknown) => read(parsed(found) as unknown[])),
    all: (order) =>
      sql`coalesce(${list}(${array} order by ${sql.join(order, sql`, `)}), '[]')`.mapWith((found: unknown) =>
        (parsed(found) as unknown[][]).map(read),
      ),
  }
}

/** Within a `jsonRow`: the texts that a statement finds, in the order of `column`, which is the text unless another is given. */
export const jsonTexts = (column: SQLiteColumn, from: SQL, text: SQL = sql`${column}`): SQL<string[]> => {
  const engine = engineOf(column)
  const list = sql`(select ${words[engine].list}(${text} order by ${column}) ${from})`
  return engine === 'sqlite' ? sql`${list}` : sql`coalesce(${list}, '[]')`
}

/**
 * Whether a text column is one of many texts, which go as one parameter: with a parameter for each, drizzle and SQLite took
 * 8 ms to write and read the question for 500.
 */
export const anyOf = (column: SQLiteColumn, texts: readonly string[]): SQL =>
  engineOf(column) === 'sqlite'
    ? sql`${column} in (select value from json_each(${JSON.stringify(texts)}))`
    : sql`${column} = any(${sql.param([...texts])}::text[])`

/** Within a `jsonRow`: bytes as lower-case hexadecimal digits. */
export const jsonHex = (bytes: SQLiteColumn): SQL<string | null> =>
  engineOf(bytes) === 'sqlite' ? sql`nullif(lower(hex(${bytes})), '')` : sql`encode(${bytes}, 'hex')`

/** Within a `jsonRow`: a text of an outer join, which may have no row. */
export const jsonOuter = <C extends SQLiteColumn>(column: C): SQL<GetColumnData<C> | null> =>
  sql<GetColumnData<C> | null>`${column}`
