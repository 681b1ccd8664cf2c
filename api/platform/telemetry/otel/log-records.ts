import { ROOT_CONTEXT, trace, TraceFlags, type Context } from '@opentelemetry/api'
import { SeverityNumber, type AnyValueMap, type Logger } from '@opentelemetry/api-logs'

const severities: Record<string, SeverityNumber> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
}

/** Turns each line of our log, a redacted JSON object, into a record of OpenTelemetry. */
export function logRecords(logger: Logger): (line: string) => void {
  return (line) => {
    const { time, level, msg, trace_id, span_id, exported, ...attributes } = JSON.parse(line) as AnyValueMap
    if (exported === false) return
    const severityText = String(level)
    logger.emit({
      timestamp: new Date(String(time)),
      severityNumber: severities[severityText] ?? SeverityNumber.UNSPECIFIED,
      severityText,
      body: typeof msg === 'string' ? msg : '',
      attributes,
      context: contextOf(trace_id, span_id),
    })
  }
}

function contextOf(traceId: unknown, spanId: unknown): Context {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED })
}
