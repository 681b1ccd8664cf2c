import type { Tables } from './schema.ts'

/** Memory that belongs to one database: what `make` makes of it at the first call, then the same each time. */
export type Keep<D> = <T>(make: (db: D) => T) => T

/** A `Keep` for `db`. The function is the key, so pass one that has a name, not a new one at each call. */
export function keepFor<D>(db: D): Keep<D> {
  const kept = new Map<unknown, unknown>()
  return <T>(make: (db: D) => T): T => {
    if (!kept.has(make)) kept.set(make, make(db))
    return kept.get(make) as T
  }
}

/** What depends on the tables of an engine alone: made once for each, also within transactions, which have no `keep`. */
export function perTables<T>(make: (tables: Tables) => T): (tables: Tables) => T {
  const made = new WeakMap<Tables, T>()
  return (tables) => {
    const known = made.get(tables) ?? make(tables)
    made.set(tables, known)
    return known
  }
}
