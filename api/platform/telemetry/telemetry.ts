import type { Logger } from './logger.ts'

/** A call that the process observes: one span and one measured duration each. */
export interface Operation {
  /** Such as `store.stat` or `db.write`; one of few, so that it can name a metric. */
  name: `db.${string}` | `store.${string}`
  /** What it is about, such as a blob key; for spans and logs only. */
  subject?: string
  /** Its duration depends on the sender of the bytes, so a long one says nothing about us. */
  waitsForSender?: boolean
}

/**
 * Where the process reports what it does. The decorators `observedDb` and `observedStore` call it; an exporter of spans and
 * metrics goes behind this interface, so that no room knows its vendor.
 */
export interface Telemetry {
  /** Runs `act` as this operation; its result and its errors pass through unchanged. */
  observe<T>(operation: Operation, act: () => Promise<T>): Promise<T>
}

/** Reports nothing. */
export const noTelemetry: Telemetry = { observe: (_, act) => act() }

/** Calls of the blob store that take longer are logged, in milliseconds. */
const SLOW_STORE_MS = 2000
/** Transactions that take longer are logged, in milliseconds: on SQLite one waits for those before it. */
const SLOW_TRANSACTION_MS = 2000

/** Logs each slow call once, with what it was about. `now` answers milliseconds that never run backwards. */
export function slowCalls(log: Logger, now = () => performance.now()): Telemetry {
  return {
    async observe({ name, subject, waitsForSender }, act) {
      const begun = now()
      try {
        return await act()
      } finally {
        const tookMs = Math.round(now() - begun)
        const slowMs = name.startsWith('db.') ? SLOW_TRANSACTION_MS : SLOW_STORE_MS
        if (!waitsForSender && tookMs > slowMs)
          log.warn({ operation: name, subject, took_ms: tookMs }, 'a call was slow')
      }
    },
  }
}
