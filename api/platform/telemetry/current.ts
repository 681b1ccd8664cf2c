import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** The work that a piece of code is part of. */
export interface Current {
  span?: Span
  requestId?: string
}

// Entered only while something is exported: on Node 20 following a context costs each promise some time.
const current = new AsyncLocalStorage<Current>()

/** Runs `act` as part of `work`. */
export function within<T>(work: Current, act: () => T): T {
  return current.run(work, act)
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
