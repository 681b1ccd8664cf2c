import type { Db } from '../stores/db/index.ts'
import { keepFor, type Keep } from '../stores/db/keep.ts'

/** The same database with `parts` in place of its own. It keeps caches of its own, as another process would. */
export function dbWith(db: Db, parts: Partial<Db>): Db {
  const own: Partial<Db> = { ...parts, keep: (make) => keep(make) }
  const made = new Proxy(db, {
    get(target, name: keyof Db) {
      if (name in own) return own[name]
      const value: unknown = target[name]
      // Methods stay with the real database, whose fields are private.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const keep: Keep<Db> = keepFor(made)
  return made
}
