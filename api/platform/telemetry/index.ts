export { count } from './counts.ts'
export { traceparent } from './current.ts'
export { createLogger, silentLogger, type Logger, type LoggerOptions } from './logger.ts'
export { requestClasses, type RequestClass } from './metrics.ts'
export { redactor } from './redact.ts'
export { startTelemetry } from './start.ts'
export type { Started } from './started.ts'
export { slowCalls } from './slow-calls.ts'
export { watchStalls } from './stalls.ts'
export { logSlowStatements, timed } from './statements.ts'
export {
  noTelemetry,
  type Answered,
  type Begun,
  type BegunRequest,
  type Operation,
  type OperationName,
  type Reading,
  type Telemetry,
} from './telemetry.ts'
