export { createLogger, silentLogger, type Logger, type LoggerOptions } from './logger.ts'
export { noTelemetry, slowCalls, type Operation, type Telemetry } from './telemetry.ts'
