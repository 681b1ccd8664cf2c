import type { Db, Reads, Tx, Writes } from '../stores/db/index.ts'
import { keepFor } from '../stores/db/keep.ts'

/** A step of a database: a whole transaction or one statement by its SQL text. */
export type DbStep = { kind: 'write' | 'snapshot' } | { kind: 'statement'; sql: string; isInside: boolean }

/** Does `act`, before and after which it may do more. */
export type DbWatch = <T>(step: DbStep, act: () => Promise<T>) => Promise<T>

/** The parts of drizzle's handle and session that every statement passes (drizzle-orm 0.45.4, both drivers). */
interface Prepared {
  [method: string]: unknown
}
interface Session {
  prepareQuery(query: { sql: string }, ...more: unknown[]): Prepared
}

// A driver has some of them, and one may call another.
const runs = ['execute', 'run', 'all', 'get', 'values']

function watchedStatement(prepared: Prepared, around: <T>(act: () => Promise<T>) => Promise<T>): Prepared {
  let isUnderWay = false
  for (const name of runs) {
    const run = prepared[name]
    if (typeof run !== 'function') continue
    prepared[name] = (...input: unknown[]) => {
      const act = async (): Promise<unknown> => run.apply(prepared, input) as unknown
      if (isUnderWay) return act()
      isUnderWay = true
      return around(act).finally(() => (isUnderWay = false))
    }
  }
  return prepared
}

/** The same handle, each of whose statements `watch` hears of. */
function watchedHandle<Q extends Reads>(q: Q, watch: DbWatch, isInside: boolean): Q {
  const { session } = q as unknown as { session: Session }
  const watched = new Proxy(session, {
    get(target, name, receiver) {
      if (name !== 'prepareQuery') return Reflect.get(target, name, receiver) as unknown
      return (query: { sql: string }, ...more: unknown[]) =>
        watchedStatement(target.prepareQuery(query, ...more), (act) =>
          watch({ kind: 'statement', sql: query.sql, isInside }, act),
        )
    },
  })
  return new Proxy(q, {
    get: (target, name, receiver) =>
      name === 'session' ? watched : (Reflect.get(target, name, receiver) as unknown),
  })
}

/** The same database, of whose transactions and statements `watch` hears. */
export function watchedDb(db: Db, watch: DbWatch): Db {
  const inside = (tx: Tx): Tx => ({ ...tx, q: watchedHandle<Writes>(tx.q, watch, true) })
  const watched: Db = {
    engine: db.engine,
    q: watchedHandle(db.q, watch, false),
    t: db.t,
    get version() {
      return db.version
    },
    write: (change) => watch({ kind: 'write' }, () => db.write((tx) => change(inside(tx)))),
    snapshot: (read) =>
      watch({ kind: 'snapshot' }, () =>
        db.snapshot(({ q, t }) => read({ q: watchedHandle(q, watch, true), t })),
      ),
    check: () => db.check(),
    close: () => db.close(),
    keep: (make) => keep(make),
  }
  const keep = keepFor(watched)
  return watched
}
