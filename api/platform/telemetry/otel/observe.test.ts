import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { currentIds, traceparent } from '../current.ts'
import { silentLogger } from '../logger.ts'
import type { Incoming, Telemetry } from '../telemetry.ts'
import { Durations } from './durations.ts'
import { Instruments } from './instruments.ts'
import { exportingTelemetry } from './observe.ts'

const spans = new InMemorySpanExporter()
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const durations = new Durations('test')
const reader = new PeriodicExportingMetricReader({
  exporter: metrics,
  exportIntervalMillis: 3_600_000,
  metricProducers: [durations],
})
const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
const instruments = new Instruments(meter, [durations], silentLogger())

function telemetryWith(share: number) {
  const spanProcessors = [new SimpleSpanProcessor(spans)]
  const tracer = new BasicTracerProvider({ spanProcessors }).getTracer('test')
  return exportingTelemetry({ tracer, share, instruments, redact: (text) => text })
}

/** Answers a request as the frame of all does. */
async function serve(telemetry: Telemetry, incoming: Incoming, answer: () => Promise<unknown>) {
  const begun = telemetry.beginRequest(incoming)
  await begun?.within(answer)
  begun?.end({ route: '/:name', status: 200 })
  return begun
}

const sampling = telemetryWith(1)
const silent = telemetryWith(0)

const request: Incoming = {
  method: 'GET',
  path: '/a',
  requestId: 'request-1',
  startedAt: performance.now(),
  userAgent: 'test',
  parent: undefined,
  operation: undefined,
  outgoing: undefined,
}

beforeEach(() => spans.reset())
afterAll(() => reader.shutdown())

test('the calls of a sampled request hang below its span, and log lines carry its ids', async () => {
  let ids = {}
  await serve(sampling, request, async () => {
    await sampling.observe({ name: 'blob.read' }, async () => (ids = currentIds()))
  })
  const [call, whole] = spans.getFinishedSpans()
  expect(whole?.name).toBe('GET /:name')
  expect(call?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId)
  expect(ids).toEqual({
    trace_id: whole?.spanContext().traceId,
    span_id: call?.spanContext().spanId,
    request_id: 'request-1',
  })
})

test('a share of requests and jobs is kept; each log line has ids, those of the span where there is one', async () => {
  const some = telemetryWith(0.5)
  const seen: string[] = []
  for (let i = 0; i < 100; i++) {
    seen.push((await serve(some, request, async () => undefined))?.ids().trace_id ?? '')
    some.begin({ name: 'job.gc' }).end()
  }
  expect(new Set(seen).size).toBe(100)
  expect(seen.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true)
  const kept = spans.getFinishedSpans()
  for (const name of ['GET /:name', 'arsenal.job.gc']) {
    const { length } = kept.filter((span) => span.name === name)
    expect(length).toBeGreaterThan(10)
    expect(length).toBeLessThan(90)
  }
  const ofRequests = kept
    .filter(({ name }) => name === 'GET /:name')
    .map((span) => span.spanContext().traceId)
  expect(ofRequests.filter((id) => !seen.includes(id))).toEqual([])
})

test('the calls of an unsampled request are measured and not followed', async () => {
  await serve(silent, request, async () => {
    await silent.observe({ name: 'blob.copy' }, async () => {
      await Promise.resolve()
      expect(currentIds()).toEqual({})
    })
  })
  expect(spans.getFinishedSpans()).toEqual([])
  await reader.forceFlush()
  const measured = metrics
    .getMetrics()
    .at(-1)
    ?.scopeMetrics.flatMap((scope) => scope.metrics)
    .find(({ descriptor }) => descriptor.name === 'arsenal.blob.operation.duration')
  expect(measured?.dataPoints.map(({ attributes }) => attributes)).toContainEqual({
    operation: 'copy',
    outcome: 'ok',
  })
})

test('only what fails on our side counts as an error', async () => {
  const failing = async (status: number | undefined) => {
    const error = Object.assign(new Error('refused'), status === undefined ? {} : { status })
    await silent.observe({ name: 'db.snapshot' }, () => Promise.reject(error)).catch(() => undefined)
  }
  for (const status of [undefined, 404, 409, 503, 507]) await failing(status)
  await reader.forceFlush()
  const points = metrics
    .getMetrics()
    .at(-1)
    ?.scopeMetrics.flatMap((scope) => scope.metrics)
    .find(({ descriptor }) => descriptor.name === 'arsenal.db.operation.duration')
    ?.dataPoints.filter(({ attributes }) => attributes['operation'] === 'snapshot')
  const counts = points?.map(({ attributes, value }) => [
    attributes['outcome'],
    (value as { count: number }).count,
  ])
  expect(counts).toEqual([
    ['ok', 3],
    ['error', 2],
  ])
})

test('a call outside of any request or job begins no trace of its own', async () => {
  await sampling.observe({ name: 'db.write' }, async () => undefined)
  expect(spans.getFinishedSpans()).toEqual([])
  const job = sampling.begin({ name: 'job.gc' })
  await job.within(async () => sampling.observe({ name: 'db.write' }, async () => undefined))
  job.end()
  expect(spans.getFinishedSpans().map(({ name }) => name)).toEqual(['arsenal.db.write', 'arsenal.job.gc'])
})

test('an unsampled request that is called from a sampled one is no part of it', async () => {
  await serve(sampling, request, async () => {
    await serve(silent, { ...request, requestId: 'request-2' }, async () => {
      expect(currentIds()).toEqual({})
    })
    expect(currentIds()).toMatchObject({ request_id: 'request-1' })
  })
})

test('while one request is followed another may end without taking its trace away', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const first = serve(sampling, request, async () => {
    await held
    expect(traceparent()).toMatch(/^00-/)
  })
  await serve(sampling, { ...request, requestId: 'request-2' }, async () => undefined)
  release()
  await first
  expect(spans.getFinishedSpans()).toHaveLength(2)
})
