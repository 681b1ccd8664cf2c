import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The only words a table may be written in; `columns.postgres.ts` has the same keys. SQLite's types are the canon. */
export const columns = {
  table: sqliteTable,
  index,
  uniqueIndex,
  primaryKey,
  id: () => text().primaryKey(),
  text: () => text(),
  int: () => integer(),
  oneOf: <const T extends [string, ...string[]]>(values: T) => text({ enum: values }),
  bigint: () => integer({ mode: 'number' }),
  bool: () => integer({ mode: 'boolean' }),
  time: () => integer({ mode: 'timestamp_ms' }),
  json: <T>() => text({ mode: 'json' }).$type<T>(),
  /** As `json`, for objects whose keys have an order that counts. */
  orderedJson: <T>() => text({ mode: 'json' }).$type<T>(),
  bytes: () => blob({ mode: 'buffer' }),
}

/** The column vocabulary a room's `tables.ts` is given. */
export type Columns = typeof columns
