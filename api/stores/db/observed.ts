import type { Telemetry } from '../../platform/telemetry/index.ts'
import type { Db } from './db.ts'
import { keepFor } from './keep.ts'

/** The same database, whose transactions `telemetry` observes. */
export function observedDb(db: Db, telemetry: Pick<Telemetry, 'observe'>): Db {
  const observed: Db = {
    engine: db.engine,
    q: db.q,
    t: db.t,
    get version() {
      return db.version
    },
    write: (change) => telemetry.observe({ name: 'db.write' }, () => db.write(change)),
    snapshot: (read) => telemetry.observe({ name: 'db.snapshot' }, () => db.snapshot(read)),
    check: () => db.check(),
    close: () => db.close(),
    keep: (make) => keep(make),
  }
  const keep = keepFor(observed)
  return observed
}
