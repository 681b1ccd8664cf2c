import type { Config } from '../config/index.ts'
import { exportersOf, exportsAny, prometheusAddress } from './exporters.ts'
import type { Logger } from './logger.ts'
import { slowCalls } from './slow-calls.ts'
import type { Started } from './started.ts'

interface Options {
  env: Record<string, string | undefined>
  version: string
  /** Hides secrets in what is exported. */
  redact: (text: string) => string
  log: Logger
}

/**
 * Starts what `telemetry.*` and `OTEL_*` ask for. The vendor's libraries are loaded only if something is exported: they
 * take memory and time to start. Rejects where the address for Prometheus is taken.
 */
export async function startTelemetry(
  config: Config,
  { env, version, redact, log }: Options,
): Promise<Started> {
  const exporters = exportersOf(config, env, (text) => log.warn(text))
  if (!exportsAny(exporters)) return { telemetry: slowCalls(log), stop: async () => undefined }
  const { startSdk } = await import('./otel/sdk.ts')
  const started = await startSdk({
    exporters,
    env,
    prometheusListen: prometheusAddress(config, env),
    attributes: {
      'service.name': config.telemetry.service_name,
      'service.version': version,
      ...(config.telemetry.environment && { 'deployment.environment.name': config.telemetry.environment }),
      'arsenal.role': config.server.role,
    },
    redact,
    log,
  })
  return { ...started, telemetry: slowCalls(log, started.telemetry) }
}
