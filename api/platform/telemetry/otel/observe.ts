import type { IncomingMessage } from 'node:http'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { apart, currentWork, follow, traceparentOf } from '../current.ts'
import type { HistogramName } from '../metrics.ts'
import type { Answered, Incoming, Operation, OperationName, Telemetry, TraceIds } from '../telemetry.ts'
import { ids } from './ids.ts'
import type { Instruments } from './instruments.ts'

interface Parts {
  tracer: Tracer
  /** Of the traces that begin here, which part is kept: from 0, none, to 1, all. */
  share: number
  instruments: Instruments
  redact: (text: string) => string
}

type Socket = IncomingMessage['socket']

/** As the semantic conventions of OpenTelemetry name them, for the metric and the span alike. */
interface RequestLabels extends Attributes {
  'http.request.method': string
  'http.response.status_code': number
  'http.route': string
}

/** Which metric measures the operations of a family, and which label names the operation. */
const measured: Record<string, { metric: HistogramName; label: string } | undefined> = {
  blob: { metric: 'arsenal.blob.operation.duration', label: 'operation' },
  db: { metric: 'arsenal.db.operation.duration', label: 'operation' },
  git: { metric: 'arsenal.git.duration', label: 'command' },
  job: { metric: 'arsenal.job.duration', label: 'kind' },
}
const blobErrors = ['missing', 'exists', 'transient', 'permanent', 'corrupt', 'full']

/** The W3C form; version ff is invalid, and so are ids of zeros. */
const traceparentForm = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/

function remote(parent: string | undefined): Context | undefined {
  if (parent === undefined) return undefined
  const [, traceId, spanId, flags = '00'] = traceparentForm.exec(parent) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, context)
}

function local(): Context | undefined {
  const { span } = currentWork()
  return span && trace.setSpan(ROOT_CONTEXT, span)
}

const isSampled = (span: Span) => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0

/** Follows the work of a span that is exported, and no other. */
const followSampled = (span: Span | undefined, requestId: string | undefined) =>
  span && isSampled(span) ? follow({ span, ...(requestId !== undefined && { requestId }) }) : undefined

/** What log lines name of a span. */
function idsOf(span: Span): TraceIds {
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

/** What log lines name of a request whose trace is not kept. */
const newIds = (): TraceIds => ({ trace_id: ids.generateTraceId(), span_id: ids.generateSpanId() })

const kindOf = (error: unknown): string => {
  const kind = error instanceof Error && 'kind' in error ? String(error.kind) : ''
  return blobErrors.includes(kind) ? kind : 'other'
}

const statusOf = (error: unknown, usual: number): number =>
  error instanceof Error && 'status' in error ? Number(error.status) : usual

/** What the caller did wrong is no failure of ours, and neither is a blob that is not there. */
const isFailure = (error: unknown): boolean => statusOf(error, 500) >= 500 && kindOf(error) !== 'missing'

/**
 * Whether an operation is counted as failed. Rooms end transactions by errors of their own, such as that of a job which
 * another worker has taken; those of the database have a status (`translateError`).
 */
const isCounted = (name: OperationName, error: unknown): boolean =>
  name.startsWith('db.') ? statusOf(error, 0) >= 500 : isFailure(error)

/** Reports spans to `tracer` and durations to `instruments`. */
export function exportingTelemetry({ tracer, share, instruments, redact }: Parts): Telemetry {
  const fail = (span: Span, error: unknown) => {
    if (!span.isRecording()) return
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    span.recordException({ name, message: redact(message.replace(/\nparams: [\s\S]*$/, '')) })
    span.setStatus({ code: SpanStatusCode.ERROR, message: name })
  }

  /** Whether a trace that begins here is kept. */
  const isKept = () => Math.random() < share

  /** A job begins a trace of its own; other operations are part of one, or of none when nothing sampled is under way. */
  const spanOf = ({ name, subject, parent }: Operation): Span | undefined => {
    const isJob = name.startsWith('job.')
    const above = remote(parent) ?? local() ?? (isJob && isKept() ? ROOT_CONTEXT : undefined)
    if (!above) return undefined
    const kind = isJob ? SpanKind.CONSUMER : SpanKind.INTERNAL
    const span = tracer.startSpan(`arsenal.${name}`, { kind }, above)
    if (subject !== undefined && span.isRecording()) span.setAttribute('arsenal.subject', redact(subject))
    return span
  }

  const describe = (span: Span, { path, userAgent, requestId }: Incoming, labels: RequestLabels) => {
    span.updateName(`${labels['http.request.method']} ${labels['http.route']}`)
    span.setAttributes({
      ...labels,
      'url.path': redact(path),
      'user_agent.original': redact(userAgent),
      'arsenal.request_id': requestId,
    })
    if (labels['http.response.status_code'] >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  }

  const begin = (operation: Operation) => {
    const span = spanOf(operation)
    const followed = followSampled(span, currentWork().requestId)
    const begun = performance.now()
    let isEnded = false
    const end = (error?: unknown) => {
      if (isEnded) return
      isEnded = true
      measure(operation.name, (performance.now() - begun) / 1000, error)
      if (span && error !== undefined && isFailure(error)) fail(span, error)
      span?.end()
      followed?.end()
    }
    return {
      within: <T>(act: () => T) => (followed ? followed.within(act) : act()),
      traceparent: span && traceparentOf(span),
      end,
    }
  }

  const measure = (name: OperationName, seconds: number, error: unknown) => {
    const at = name.indexOf('.')
    const family = measured[name.slice(0, at)]
    if (!family) return
    const outcome = error !== undefined && isCounted(name, error) ? 'error' : 'ok'
    instruments.record(family.metric, seconds, { [family.label]: name.slice(at + 1), outcome })
    if (error !== undefined && name.startsWith('blob.'))
      instruments.count('arsenal.blob.errors', 1, { kind: kindOf(error) })
  }

  const transferred = transferCounter(instruments)

  /** The span of a request whose trace is kept, by chance where it begins here. */
  const spanOfRequest = ({ method, parent }: Incoming): Span | undefined => {
    const above = remote(parent) ?? (isKept() ? ROOT_CONTEXT : undefined)
    return above && tracer.startSpan(method, { kind: SpanKind.SERVER }, above)
  }

  const beginRequest: Telemetry['beginRequest'] = (request) => {
    const { method, requestId, operation, outgoing, startedAt } = request
    if (outgoing) transferred(outgoing.req.socket)
    const span = spanOfRequest(request)
    const followed = followSampled(span, requestId)
    const inside = followed ? followed.within : apart
    const inner = operation && inside(() => begin({ name: operation }))
    const end = ({ route, status }: Answered) => {
      const labels = {
        'http.request.method': method,
        'http.response.status_code': status,
        'http.route': route,
      }
      instruments.record('http.server.request.duration', (performance.now() - startedAt) / 1000, labels)
      if (span?.isRecording()) describe(span, request, labels)
      inner?.end()
      span?.end()
      followed?.end()
    }
    return {
      within: inner ? (act) => inside(() => inner.within(act)) : inside,
      ids: span ? () => idsOf(span) : newIds,
      end(answered, error) {
        if (span && error !== undefined) fail(span, error)
        // A body goes on behind the handler, and its end is the request's.
        if (outgoing && method !== 'HEAD' && !outgoing.writableFinished && !outgoing.destroyed)
          outgoing.on('close', () => end(answered))
        else end(answered)
      },
    }
  }

  return {
    begin,
    beginRequest,
    async observe(operation, act) {
      const begun = begin(operation)
      try {
        const result = await begun.within(act)
        begun.end()
        return result
      } catch (error) {
        begun.end(error)
        throw error
      }
    },
    gauge: (name, read) => instruments.gauge(name, read),
  }
}

/** Adds up what connections have sent and received; answers what to call with each connection. */
function transferCounter(instruments: Instruments): (socket: Socket) => void {
  const open = new Set<Socket>()
  const closed = { received: 0, sent: 0 }
  const add = (sum: typeof closed, { bytesRead, bytesWritten }: Socket) => {
    sum.received += bytesRead
    sum.sent += bytesWritten
  }
  instruments.total('arsenal.transfer.bytes', () => {
    const sum = { ...closed }
    for (const socket of open) add(sum, socket)
    return Object.entries(sum).map(([direction, value]) => ({ value, labels: { direction } }))
  })
  return (socket) => {
    if (open.has(socket) || socket.destroyed) return
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      add(closed, socket)
    })
  }
}
