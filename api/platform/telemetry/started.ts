import type { Telemetry } from './telemetry.ts'

/** The telemetry of a process. */
export interface Started {
  telemetry: Telemetry
  /** Where Prometheus is answered, if it is. */
  prometheus?: string
  /** Takes each redacted log line, where logs are exported. */
  takeLine?: (line: string) => void
  /** Sends what waits to be sent, for some seconds at most. */
  stop(): Promise<void>
}
