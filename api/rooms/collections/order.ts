import { and, eq, gt, gte, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../stores/db/index.ts'

/** A table whose rows stand in an order. */
type Ordered = SQLiteTable & { id: AnySQLiteColumn; position: AnySQLiteColumn }

/** A row with its place. */
interface Placed {
  id: string
  position: number
}

/**
 * Moves a row to the `wanted`-th place (from 0) of those that the caller sees, `visible` in their order. Rows between,
 * also hidden ones, make room. `siblings` says which rows of the table stand in that order.
 */
export async function moveTo(
  { q }: Tx,
  { table, siblings }: { table: Ordered; siblings: SQL },
  visible: Placed[],
  id: string,
  wanted: number,
): Promise<boolean> {
  const from = visible.find((row) => row.id === id)?.position
  const to = visible[Math.min(wanted, visible.length - 1)]?.position
  if (from === undefined || to === undefined || from === to) return false
  const between =
    to > from
      ? and(gt(table.position, from), lte(table.position, to))
      : and(gte(table.position, to), lt(table.position, from))
  const by = to > from ? -1 : 1
  await q
    .update(table)
    .set({ position: sql`${table.position} + ${by}` })
    .where(and(siblings, between))
  await q.update(table).set({ position: to }).where(eq(table.id, id))
  return true
}
