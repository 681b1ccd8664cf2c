import { expect, test } from 'vitest'
import { Config } from '../config/index.ts'
import { exportersOf, exportsAny, prometheusAddress } from './exporters.ts'

const config = (telemetry: Record<string, string> = {}) =>
  Config.parse({ server: { public_url: 'http://localhost:8080' }, telemetry })
const nothing = { traces: [], metrics: [], logs: [] }
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

test('by default nothing is exported', () => {
  const found = exportersOf(config(), {})
  expect(found).toEqual(nothing)
  expect(exportsAny(found)).toBe(false)
})

test('an endpoint of all signals or of one has them exported', () => {
  expect(exportersOf(config(), endpoint)).toEqual({ traces: ['otlp'], metrics: ['otlp'], logs: ['otlp'] })
  const one = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }
  expect(exportersOf(config(), one)).toEqual({ ...nothing, traces: ['otlp'] })
})

test('the keys choose, and the standard variables win over them', () => {
  const keys = config({ traces: 'console', metrics: 'prometheus', logs: 'none' })
  expect(exportersOf(keys, endpoint)).toEqual({ traces: ['console'], metrics: ['prometheus'], logs: [] })
  const env = { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'otlp, prometheus' }
  expect(exportersOf(keys, env)).toEqual({ traces: [], metrics: ['otlp', 'prometheus'], logs: [] })
})

test('OTEL_SDK_DISABLED turns everything off', () => {
  expect(exportersOf(config({ metrics: 'prometheus' }), { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toEqual(
    nothing,
  )
})

test('a name that nothing here exports to is warned of', () => {
  const warnings: string[] = []
  exportersOf(config(), { OTEL_TRACES_EXPORTER: 'zipkin' }, (text) => warnings.push(text))
  expect(warnings).toEqual(['OTEL_TRACES_EXPORTER: "zipkin" is not supported. Use otlp, console, none.'])
})

test('Prometheus is answered where the key says, or the standard variables', () => {
  expect(prometheusAddress(config(), {})).toBe(':9464')
  expect(prometheusAddress(config(), { OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1' })).toBe('127.0.0.1:9464')
  expect(prometheusAddress(config(), { OTEL_EXPORTER_PROMETHEUS_PORT: '9000' })).toBe(':9000')
})
