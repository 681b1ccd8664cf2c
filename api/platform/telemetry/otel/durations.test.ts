import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { describe, expect, test } from 'vitest'
import { metricOf } from '../metrics.ts'
import { Durations } from './durations.ts'

const name = 'arsenal.git.duration'
const boundaries = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600]

/** The histogram of the SDK beside ours, in one reader. */
function given(temporality: AggregationTemporality) {
  const exporter = new InMemoryMetricExporter(temporality)
  const durations = new Durations('ours', temporality)
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 3_600_000,
    metricProducers: [durations],
  })
  const { unit, text } = metricOf(name)
  const theirs = new MeterProvider({ readers: [reader] })
    .getMeter('theirs')
    .createHistogram(name, { unit, description: text, advice: { explicitBucketBoundaries: boundaries } })
  return {
    record(seconds: number, labels: Record<string, string>) {
      theirs.record(seconds, labels)
      durations.record(name, seconds, labels)
    },
    /** What was exported of each, with the interval's beginning left out: the SDK takes that of the first value. */
    async exported() {
      exporter.reset()
      await reader.forceFlush()
      const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
      const metricsOf = (scope: string) =>
        scopes
          .filter((one) => one.scope.name === scope)
          .flatMap(({ metrics }) => metrics)
          .map(({ descriptor, dataPoints, ...rest }) => ({
            ...rest,
            descriptor: {
              name: descriptor.name,
              unit: descriptor.unit,
              description: descriptor.description,
              valueType: descriptor.valueType,
            },
            dataPoints: dataPoints.map(({ attributes, value }) => ({ attributes, value })),
          }))
      return { ours: metricsOf('ours'), theirs: metricsOf('theirs') }
    },
    starts: async () => {
      exporter.reset()
      await reader.forceFlush()
      const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
      const points = scopes.find(({ scope }) => scope.name === 'ours')?.metrics[0]?.dataPoints ?? []
      return points.map(({ startTime, endTime }) => [startTime, endTime])
    },
    close: () => reader.shutdown(),
  }
}

describe.each([
  ['cumulative', AggregationTemporality.CUMULATIVE],
  ['delta', AggregationTemporality.DELTA],
])('durations of a reader that wants them %s', (_, temporality) => {
  test('are exported as the SDK exports its own', async () => {
    const { record, exported, close } = given(temporality)
    const ok = { command: 'gc', outcome: 'ok' }
    // Beneath, on and beyond each boundary.
    for (const seconds of [0, ...boundaries.flatMap((at) => [at, at * 1.5])]) record(seconds, ok)
    record(0.2, { command: 'gc', outcome: 'error' })
    const first = await exported()
    expect(first.ours[0]?.dataPoints).toHaveLength(2)
    expect(first.ours).toEqual(first.theirs)

    record(0.3, ok)
    const second = await exported()
    const count = temporality === AggregationTemporality.DELTA ? 1 : 32
    expect(second.ours[0]?.dataPoints[0]?.value).toMatchObject({ count })
    expect(second.ours).toEqual(second.theirs)
    await close()
  })

  test('hold 2 000 sets of labels, and what is beyond them in one more', async () => {
    const { record, exported, close } = given(temporality)
    for (let i = 0; i < 2010; i++) record(1, { command: `c${i}`, outcome: 'ok' })
    const { ours } = await exported()
    const points = ours[0]?.dataPoints ?? []
    expect(points).toHaveLength(2001)
    expect(points.at(-1)).toMatchObject({
      attributes: { 'otel.metric.overflow': true },
      value: { count: 10 },
    })
    await close()
  })
})

test('each delta begins where the last one ended', async () => {
  const { record, starts, close } = given(AggregationTemporality.DELTA)
  record(1, { command: 'gc', outcome: 'ok' })
  const [first] = await starts()
  record(1, { command: 'gc', outcome: 'ok' })
  const [second] = await starts()
  expect(second?.[0]).toEqual(first?.[1])
  await close()
})
