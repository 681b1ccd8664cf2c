import manifest from '../../package.json' with { type: 'json' }
import { secretValues, type Config } from '../../platform/config/index.ts'
import {
  createLogger,
  logSlowStatements,
  redactor,
  startTelemetry,
  watchStalls,
  type Logger,
  type Started,
} from '../../platform/telemetry/index.ts'

/** The logger the configuration asks for; it redacts every configured secret. */
export function loggerOf(config: Config): Logger {
  return createLogger(logOptions(config))
}

const logOptions = (config: Config) => {
  const { log_level: level, log_format: format } = config.telemetry
  return { level, format, secrets: secretValues(config) }
}

/** What a server tells of itself: its log, and what exports the rest. */
export interface Voice extends Started {
  log: Logger
  /** Watches for stalls from now on: a start has many of its own. */
  watchLoop(): void
}

/**
 * Starts the log and what `telemetry.*` and `OTEL_*` ask for, and watches for slow statements. Rejects
 * where the address for Prometheus is taken.
 */
export async function openVoice(config: Config, env: Record<string, string | undefined>): Promise<Voice> {
  const options = logOptions(config)
  const exported: { takeLine?: Started['takeLine'] | undefined } = {}
  const log = createLogger({ ...options, copy: () => exported.takeLine })
  const started = await startTelemetry(config, {
    env,
    version: manifest.version,
    redact: redactor(options.secrets),
    log,
  })
  const { stop } = started
  exported.takeLine = started.takeLine
  const endings = [logSlowStatements(log)]
  return {
    ...started,
    log,
    watchLoop: () => void endings.push(watchStalls(log)),
    async stop() {
      for (const end of endings) end()
      await stop()
    },
  }
}
