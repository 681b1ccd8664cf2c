import { channel } from 'node:diagnostics_channel'
import type { Logger } from './logger.ts'

/** Statements that take longer are logged, in milliseconds. */
export const SLOW_STATEMENT_MS = 200
/** Of a statement in the log. */
const MAX_SQL = 1000

/** A statement that took longer than `SLOW_STATEMENT_MS`. */
export interface SlowStatement {
  /** Its text without the values that are bound to it. */
  sql: string
  tookMs: number
  /** Whether it ran in this thread, as those of SQLite do. */
  isHere: boolean
}

const slow = channel('arsenal.slow-statement')

/** Runs a statement and reports it when it was slow. */
export async function timed<T>(sql: string, isHere: boolean, run: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await run()
  } finally {
    const tookMs = performance.now() - begun
    if (tookMs > SLOW_STATEMENT_MS)
      slow.publish({ sql: sql.slice(0, MAX_SQL), tookMs, isHere } satisfies SlowStatement)
  }
}

/** Calls `take` with each slow statement of this process from now on; answers the function that ends it. */
export function onSlowStatement(take: (statement: SlowStatement) => void): () => void {
  const listener = (message: unknown) => take(message as SlowStatement)
  slow.subscribe(listener)
  return () => slow.unsubscribe(listener)
}

/** Logs each slow statement once. */
export function logSlowStatements(log: Logger): () => void {
  return onSlowStatement(({ sql, tookMs }) =>
    log.warn({ sql, took_ms: Math.round(tookMs) }, 'a statement was slow'),
  )
}
