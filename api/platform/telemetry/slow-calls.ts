import type { Logger } from './logger.ts'
import { noTelemetry, type Operation, type Telemetry } from './telemetry.ts'

/** Calls of the blob store that take longer are logged, in milliseconds. */
const SLOW_BLOB_MS = 2000
/** Transactions that take longer are logged, in milliseconds: on SQLite one waits for those before it. */
const SLOW_TRANSACTION_MS = 2000

function slowMs({ name, waitsForSender }: Operation): number {
  if (waitsForSender) return Infinity
  if (name.startsWith('blob.')) return SLOW_BLOB_MS
  return name.startsWith('db.') ? SLOW_TRANSACTION_MS : Infinity
}

/** The operations under way in this process, by name: what may keep the event loop busy. */
const underWay = new Map<string, number>()

const begins = (name: string) => underWay.set(name, (underWay.get(name) ?? 0) + 1)

function ends(name: string): void {
  const left = (underWay.get(name) ?? 1) - 1
  if (left > 0) underWay.set(name, left)
  else underWay.delete(name)
}

export const operationsUnderWay = (): string[] => [...underWay.keys()]

/**
 * Logs each slow call of the database and the blob store once, with what it was about, and hands everything on to
 * `inner`. `now` answers milliseconds that never run backwards.
 */
export function slowCalls(
  log: Logger,
  inner: Telemetry = noTelemetry,
  now = () => performance.now(),
): Telemetry {
  return {
    ...inner,
    begin(operation) {
      const begun = inner.begin(operation)
      begins(operation.name)
      let isEnded = false
      return {
        ...begun,
        end(error) {
          if (!isEnded) ends(operation.name)
          isEnded = true
          begun.end(error)
        },
      }
    },
    observe: (operation, act) =>
      inner.observe(operation, async () => {
        const begun = now()
        begins(operation.name)
        try {
          return await act()
        } finally {
          ends(operation.name)
          const tookMs = Math.round(now() - begun)
          if (tookMs > slowMs(operation))
            log.warn(
              { operation: operation.name, subject: operation.subject, took_ms: tookMs },
              'a call was slow',
            )
        }
      }),
  }
}
