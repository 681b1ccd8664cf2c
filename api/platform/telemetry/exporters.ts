import type { Config } from '../config/index.ts'

type Env = Record<string, string | undefined>
type Signal = 'traces' | 'metrics' | 'logs'

/** Where each signal goes. */
export interface Exporters {
  traces: ('otlp' | 'console')[]
  metrics: ('otlp' | 'prometheus' | 'console')[]
  logs: ('otlp' | 'console')[]
}

const known: { [S in Signal]: readonly Exporters[S][number][] } = {
  traces: ['otlp', 'console'],
  metrics: ['otlp', 'prometheus', 'console'],
  logs: ['otlp', 'console'],
}

const isSet = (value: string | undefined) => value !== undefined && value.trim() !== ''

/**
 * What is exported: `telemetry.traces`, `.metrics` and `.logs`, each replaced by its `OTEL_*_EXPORTER` where that is set,
 * which may name several. `otlp` counts only with an endpoint; `OTEL_SDK_DISABLED=true` turns everything off. `warn`
 * gets a text for each name that nothing here exports to.
 */
export function exportersOf(
  { telemetry }: Pick<Config, 'telemetry'>,
  env: Env,
  warn: (text: string) => void = () => undefined,
): Exporters {
  const configured = { traces: telemetry.traces, metrics: telemetry.metrics, logs: telemetry.logs }
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  const of = <S extends Signal>(signal: S): Exporters[S] => {
    if (isOff) return []
    const variable = `OTEL_${signal.toUpperCase()}_EXPORTER`
    const asked = isSet(env[variable]) ? (env[variable] ?? '') : configured[signal]
    const names = asked.split(',').map((name) => name.trim().toLowerCase())
    const hasEndpoint =
      isSet(env['OTEL_EXPORTER_OTLP_ENDPOINT']) ||
      isSet(env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`])
    for (const name of names)
      if (name !== 'none' && !(known[signal] as readonly string[]).includes(name))
        warn(`${variable}: "${name}" is not supported. Use ${[...known[signal], 'none'].join(', ')}.`)
    return known[signal].filter(
      (name) => names.includes(name) && (name !== 'otlp' || hasEndpoint),
    ) as Exporters[S]
  }
  return { traces: of('traces'), metrics: of('metrics'), logs: of('logs') }
}

/** Whether anything is exported at all: else the vendor's libraries are not even loaded. */
export const exportsAny = (exporters: Exporters) => Object.values(exporters).some(({ length }) => length > 0)

/** Where Prometheus is answered: `telemetry.prometheus_listen`, or what `OTEL_EXPORTER_PROMETHEUS_HOST` and `_PORT` say. */
export function prometheusAddress({ telemetry }: Pick<Config, 'telemetry'>, env: Env): string {
  const [host, port] = [env['OTEL_EXPORTER_PROMETHEUS_HOST'], env['OTEL_EXPORTER_PROMETHEUS_PORT']]
  if (!isSet(host) && !isSet(port)) return telemetry.prometheus_listen
  return `${host ?? ''}:${isSet(port) ? port : '9464'}`
}
