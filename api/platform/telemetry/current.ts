import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** The work that a piece of code is part of. */
export interface Current {
  span?: Span
  requestId?: string
}

// Only sampled work is followed: on Node 20 a storage that was entered once hooks every promise of the process, which took
// a third more CPU per request.
const current = new AsyncLocalStorage<Current>()
let followed = 0

/** Work that is followed through callbacks and promises until `end`. */
export interface Followed {
  within<T>(act: () => T): T
  end(): void
}

/** Follows `work`. Once nothing is followed any more, promises cost what they cost before. */
export function follow(work: Current): Followed {
  followed++
  let isEnded = false
  return {
    within: (act) => current.run(work, act),
    end() {
      if (isEnded) return
      isEnded = true
      if (--followed === 0) current.disable()
    },
  }
}

/** Runs `act` as part of no work: what a connection brings next may have been called from a followed request. */
export function apart<T>(act: () => T): T {
  return followed === 0 ? act() : current.run({}, act)
}

export const currentWork = (): Current => current.getStore() ?? {}

/** What each log line says of the work it belongs to. */
export function currentIds(): { trace_id?: string; span_id?: string; request_id?: string } {
  const work = current.getStore()
  if (!work) return {}
  const context = work.span?.spanContext()
  return {
    ...(context && { trace_id: context.traceId, span_id: context.spanId }),
    ...(work.requestId !== undefined && { request_id: work.requestId }),
  }
}

/** The work under way as a `traceparent` of W3C Trace Context, for what goes on elsewhere; `undefined` outside any. */
export function traceparent(): string | undefined {
  const span = current.getStore()?.span
  return span && traceparentOf(span)
}

/** `00-{trace}-{span}-{flags}`. */
export function traceparentOf(span: Pick<Span, 'spanContext'>): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
