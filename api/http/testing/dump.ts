import type { World } from '../../testing.ts'

type Row = Record<string, unknown>
/** Every row of every table, by table; parents before their children. */
export type Rows = Record<string, Row[]>

/** What a refused request may leave behind: when a credential was used, how often it was wrong, and a note of that. */
const traces = new Set(['throttles', 'tokens.last_used_at', 'sessions.last_seen_at'])
const isTrace = (table: string, row: Row) => table === 'audit' && row['outcome'] === 'refused'

export async function rowsOf({ db }: World): Promise<Rows> {
  const rows: Rows = {}
  for (const [name, table] of Object.entries(db.t)) rows[name] = await db.q.select().from(table)
  return rows
}

/** What is stored, to be compared: without the traces of having asked, and in no order. */
export function comparable(rows: Rows): Record<string, string[]> {
  const kept = Object.entries(rows).filter(([name]) => !traces.has(name))
  return Object.fromEntries(
    kept.map(([name, table]) => {
      const write = (row: Row) =>
        JSON.stringify(row, (column, value: unknown) => (traces.has(`${name}.${column}`) ? undefined : value))
      return [
        name,
        table
          .filter((row) => !isTrace(name, row))
          .map(write)
          .toSorted(),
      ]
    }),
  )
}

/** Makes the tables hold these rows and no others. */
export async function restore({ db }: World, rows: Rows): Promise<void> {
  await db.write(async ({ q, t }) => {
    const tables = Object.entries(t)
    for (const [, table] of tables.toReversed()) await q.delete(table)
    for (const [name, table] of tables) {
      const held = rows[name] ?? []
      if (held.length > 0) await q.insert(table).values(held as never)
    }
  })
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
