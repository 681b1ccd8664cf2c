/** One page of a list. Without `next` it is the last; `next` is where the following page begins. */
export interface Page<Item, Position> {
  items: Item[]
  next?: Position
}

/**
 * Reads a page of at most `limit` rows. `read` is asked for one row more, which tells whether another page follows;
 * `positionOf` is the keyset of a row.
 */
export async function readPage<Row, Position>(
  limit: number,
  read: (count: number) => PromiseLike<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<Page<Row, Position>> {
  const rows = await read(limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return rows.length > limit && last !== undefined ? { items, next: positionOf(last) } : { items }
}
