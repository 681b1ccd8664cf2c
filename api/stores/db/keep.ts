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
