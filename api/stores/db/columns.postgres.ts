import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  timestamp,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Columns } from './columns.sqlite.ts'

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
// Byte order, as SQLite's: cursors and unique names must not follow the locale of a database.
const byteText = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

/** The vocabulary of `columns.sqlite.ts` in Postgres' native types. */
export const columns = {
  table: pgTable,
  index,
  uniqueIndex,
  primaryKey,
  id: () => byteText().primaryKey(),
  text: () => byteText(),
  int: () => integer(),
  oneOf: <const T extends [string, ...string[]]>(values: T) => text({ enum: values }),
  bigint: () => bigint({ mode: 'number' }),
  bool: () => boolean(),
  time: () => timestamp({ precision: 3, withTimezone: true, mode: 'date' }),
  json: <T>() => jsonb().$type<T>(),
  // `jsonb` sorts the keys of objects (PostgreSQL 18, 8.14); `json` keeps the text.
  orderedJson: <T>() => json().$type<T>(),
  bytes: () => bytea(),
} satisfies Record<keyof Columns, unknown>
