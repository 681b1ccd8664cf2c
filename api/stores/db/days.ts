import { is, sql, type SQL } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'

/** The day of a time in UTC, counted from 1970, to group rows by. */
export const dayOf = (time: AnySQLiteColumn): SQL<number> =>
  is(time as unknown, PgColumn)
    ? sql<number>`floor(extract(epoch from ${time}) / 86400)`
    : sql<number>`${time} / 86400000`
