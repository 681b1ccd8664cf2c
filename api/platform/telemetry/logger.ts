import { pino, type Logger } from 'pino'
import { currentIds } from './current.ts'
import { errorFields } from './error-fields.ts'
import { redactor } from './redact.ts'
import { textLine } from './text-format.ts'

export type { Logger }

export interface LoggerOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  format: 'json' | 'text'
  /** Values that no line may hold. */
  secrets?: string[]
  /** Receives each line with its line break; stdout unless given. */
  write?: (line: string) => void
  /** Receives each redacted line as JSON beside that, once there is somebody who takes it. */
  copy?: () => ((line: string) => void) | undefined
}

/**
 * The log of this process: one line per event, on stdout. Every line is redacted as a whole after it was built, so a
 * secret inside a message, a URL or an error text is hidden as well. Errors belong under `err`.
 */
export function createLogger({ level, format, secrets = [], write, copy }: LoggerOptions): Logger {
  const redact = redactor(secrets)
  const out = write ?? stdout()
  const take = (line: string) => {
    const clean = redact(line)
    out(format === 'text' ? textLine(clean) : clean)
    copy?.()?.(clean)
  }
  return pino(
    {
      level,
      base: null,
      mixin: currentIds,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error) => errorFields(error), error: (error) => errorFields(error) },
    },
    { write: take },
  )
}

/** Lines that wait for a full disk to take them; what comes on top of these is lost. */
const WAITING_BYTES = 2 ** 20

/** Written at once: the last lines before a crash are those one wants. */
function stdout(): (line: string) => void {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: WAITING_BYTES })
  // Unheard, the error of a full disk would be thrown by each call that logs, and fail the request that it is about.
  destination.on('error', () => undefined)
  return (line) => destination.write(line)
}

/** A logger that keeps nothing, for tests and for code that runs before the configuration is read. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' })
}
