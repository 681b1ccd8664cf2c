import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { silentLogger } from '../platform/telemetry/index.ts'
import {
  metricNames,
  metricOf,
  type GaugeName,
  type HistogramName,
  type TotalName,
} from '../platform/telemetry/metrics.ts'
import { Durations } from '../platform/telemetry/otel/durations.ts'
import { Instruments } from '../platform/telemetry/otel/instruments.ts'
import { answerPrometheus } from '../platform/telemetry/otel/prometheus.ts'

/* Each query is held against what a process answers at /metrics; `e2e/telemetry/rules.test.mjs` has Prometheus read them. */

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/monitoring/${name}`, import.meta.url)), 'utf8')

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}
interface Panel {
  type: string
  title: string
  description?: string
  targets?: { expr: string }[]
}
const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] }
const charts = panels.filter(({ type }) => type !== 'row')

const words = ['by', 'without', 'on', 'ignoring', 'or', 'and', 'unless', 'bool', 'offset', 'le']

/** The metrics that a query of PromQL reads: identifiers that are neither functions nor labels. */
function metricsIn(query: string): string[] {
  const plain = query
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  return [...plain.matchAll(/(?<![\w.])[a-z_]\w*(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !words.includes(name))
}

const labelsIn = (query: string) => [
  ...[...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
    [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label),
  ),
  ...[...query.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inner = '']) =>
    inner.split(',').map((label) => label.trim()),
  ),
]

let exposed = ''
let end: () => Promise<void>
beforeAll(async () => {
  const durations = new Durations('test')
  const { reader, address, close } = await answerPrometheus('127.0.0.1:0', [durations])
  const provider = new MeterProvider({ readers: [reader] })
  const instruments = new Instruments(provider.getMeter('test'), [durations], silentLogger())
  const own = ['nodejs.eventloop.delay.p99', 'nodejs.heap.used', 'process.memory.usage']
  for (const name of metricNames) {
    const { kind } = metricOf(name)
    if (kind === 'histogram') instruments.record(name as HistogramName, 1, {})
    if (kind === 'total') instruments.total(name as TotalName, () => [{ value: 1 }])
    if (kind === 'gauge' && !own.includes(name)) instruments.gauge(name as GaugeName, () => [{ value: 1 }])
  }
  exposed = await (await fetch(`http://${address}/metrics`)).text()
  end = async () => {
    instruments.close()
    await close()
    await provider.shutdown()
  }
})
afterAll(() => end())

const names = () => new Set(exposed.split('\n').flatMap((line) => (/^[a-z]\w*/.exec(line) ?? []) as string[]))
/** Of Prometheus itself. */
const ofPrometheus = ['up']
/** What labels the metrics have beside those of `metrics.ts` that are closed there, and those that a scrape adds. */
const knownLabels = new Set([
  ...metricNames.flatMap((name) => Object.keys(metricOf(name).labels ?? {})),
  'http_route',
  'http_request_method',
  'http_response_status_code',
  'operation',
  'outcome',
  'command',
  'kind',
  'le',
  'job',
  'instance',
])

const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...charts.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
]

test.each(queries)('%s asks for metrics and labels that exist', (_, query) => {
  const known = names()
  const asked = metricsIn(query)
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((name) => !known.has(name) && !ofPrometheus.includes(name))).toEqual([])
  expect(labelsIn(query).filter((label) => !knownLabels.has(label ?? ''))).toEqual([])
})

test('a query of a metric that does not exist is found', () => {
  expect(metricsIn('sum(rate(arsenal_absent_total{job="a"}[5m])) by (kind) > 0 or up == 0')).toEqual([
    'arsenal_absent_total',
    'up',
  ])
})

test('every metric of the server is on the dashboard', () => {
  const asked = new Set(queries.flatMap(([, query]) => metricsIn(query)))
  const shown = [...names()].filter((name) => asked.has(name))
  const missing = metricNames.filter((name) => {
    const stem = name.replaceAll('.', '_')
    return !shown.some((each) => each.startsWith(stem))
  })
  expect(missing).toEqual([])
})

describe('alert rules', () => {
  test('each has a name of its own, a severity, and says what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(['warning', 'critical']).toContain(rule.labels.severity)
      expect(rule.for ?? '0m').toMatch(/^\d+[smh]$/)
      expect(rule.annotations.description.length).toBeGreaterThan(20)
      expect(Object.keys(rule).filter((key) => !ruleKeys.includes(key))).toEqual([])
    }
  })
})
const ruleKeys = ['alert', 'expr', 'for', 'labels', 'annotations']

test('every chart says what it shows', () => {
  expect(charts.filter(({ description, targets }) => !description || !targets?.length)).toEqual([])
})
