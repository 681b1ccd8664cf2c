import { LRUCache } from 'lru-cache'
import type { Db } from './db.ts'

// Another process on the same machine (the command line) may write too; its change is seen within this time.
const maxAgeMs = 2000

/**
 * Answers a read from memory while nothing has been written since (`Db.version`); on Postgres, where other processes
 * write, every call reads. For hot paths: a libsql query costs about 85 µs of CPU (reliability.md §14).
 */
export function memo<K extends string, V extends object>(
  db: Db,
  max: number,
  load: (key: K) => Promise<V>,
): (key: K) => V | Promise<V> {
  const cache = new LRUCache<K, { version: number; value: V }>({ max, ttl: maxAgeMs })
  return (key) => {
    const version = db.version
    if (version === undefined) return load(key)
    const hit = cache.get(key)
    if (hit?.version === version) return hit.value
    return load(key).then((value) => {
      if (db.version === version) cache.set(key, { version, value })
      return value
    })
  }
}
