import { is, sql, type SQL } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/*
 * How a reader keeps a copy of a table in step. Each change of a row writes a mark; the reader notes the horizon, reads
 * what has changed, and begins at that horizon the next time. On Postgres a mark is the number of the transaction, and the
 * horizon the oldest one that still runs: nothing that is not visible yet lies below it. SQLite has one writer at a time.
 */

const isPostgres = (column: unknown) => is(column, PgColumn)

/** What a row that changes writes into `column`, which has an index. */
export const changeMark = (column: SQLiteColumn): SQL =>
  isPostgres(column)
    ? sql`pg_current_xact_id()::text::bigint`
    : sql`(select coalesce(max(${column}), 0) + 1 from ${column.table})`

/** From where on marks may belong to changes that are not visible yet. Read it before the rows. */
export const changeHorizon = (column: SQLiteColumn): SQL<number> =>
  (isPostgres(column)
    ? sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`
    : sql`(select coalesce(max(${column}), 0) + 1 from ${column.table})`
  ).mapWith(Number)
