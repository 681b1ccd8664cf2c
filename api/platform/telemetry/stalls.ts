import { PerformanceObserver } from 'node:perf_hooks'
import type { Logger } from './logger.ts'
import { operationsUnderWay } from './slow-calls.ts'
import { onSlowStatement } from './statements.ts'

/** The event loop is looked at this often, in milliseconds. */
const LOOK_MS = 50
/** A loop that stood still for longer is logged, in milliseconds (reliability.md §14). */
const STALL_MS = 250
/** A collection that took this part of a stall is its cause. */
const MOST = 0.5

/** What kept the event loop from everything else, as far as it can be reported from outside. */
interface Suspect {
  cause: string
  endedAt: number
  tookMs: number
}

/**
 * Logs each time the event loop stood still for more than 250 ms, once, with its cause: a statement of SQLite, which runs
 * in this thread, or a garbage collection; and with the operations under way, one of which it was otherwise. Answers the
 * function that ends it.
 */
export function watchStalls(log: Logger): () => void {
  let suspects: Suspect[] = []
  const suspect = (cause: string, endedAt: number, tookMs: number) => {
    suspects = [...suspects.slice(-9), { cause, endedAt, tookMs }]
  }
  const forget = onSlowStatement(({ sql, tookMs, isHere }) => {
    if (isHere) suspect(`statement: ${sql}`, performance.now(), tookMs)
  })
  const collections = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (duration > STALL_MS * MOST) suspect('garbage collection', startTime + duration, duration)
  })
  collections.observe({ entryTypes: ['gc'] })
  let lookedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const stalledMs = now - lookedAt - LOOK_MS
    const since = lookedAt
    lookedAt = now
    if (stalledMs <= STALL_MS) return
    // Collections are reported a turn later.
    setImmediate(() => {
      const found = suspects.filter(({ endedAt, tookMs }) => endedAt >= since && tookMs > stalledMs * MOST)
      suspects = []
      const cause = found[0]?.cause ?? 'code'
      const facts = { stalled_ms: Math.round(stalledMs), cause, under_way: operationsUnderWay() }
      log.warn(facts, 'the event loop stood still')
    })
  }, LOOK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    collections.disconnect()
    forget()
  }
}
