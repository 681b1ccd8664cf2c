import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import { onCount } from '../counts.ts'
import type { Logger } from '../logger.ts'
import {
  metricNames,
  metricOf,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type TotalName,
} from '../metrics.ts'
import type { Reading } from '../telemetry.ts'

/** From a millisecond to what a large upload takes. */
const BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600]
const NANOSECONDS = 1e9
/** A gauge that takes longer to read is left out of that collection. */
const READ_MS = 5000

/** Every instrument of `metrics`, by its name. */
export class Instruments {
  readonly #meter: Meter
  readonly #log: Logger
  readonly #counters = new Map<CounterName, Counter>()
  readonly #histograms = new Map<HistogramName, Histogram>()
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  readonly #forget: () => void

  constructor(meter: Meter, log: Logger) {
    this.#meter = meter
    this.#log = log
    for (const name of metricNames) this.#make(name)
    this.#forget = onCount(({ name, labels, by }) => this.count(name, by, labels))
    this.#delay.enable()
    this.gauge('nodejs.eventloop.delay.p99', () => {
      const value = this.#delay.percentile(99) / NANOSECONDS
      this.#delay.reset()
      return [{ value }]
    })
    this.gauge('nodejs.heap.used', () => [{ value: process.memoryUsage().heapUsed }])
    this.gauge('process.memory.usage', () => [{ value: process.memoryUsage.rss() }])
  }

  #make(name: (typeof metricNames)[number]): void {
    const { kind, unit, text, labels = {} } = metricOf(name)
    const options = { unit, description: text }
    if (kind === 'histogram')
      this.#histograms.set(
        name as HistogramName,
        this.#meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: BUCKETS_S } }),
      )
    if (kind !== 'counter') return
    const counter = this.#meter.createCounter(name, options)
    this.#counters.set(name as CounterName, counter)
    for (const set of combinations(labels)) counter.add(0, set)
  }

  count(name: CounterName, by: number, labels: Attributes): void {
    this.#counters.get(name)?.add(by, labels)
  }

  record(name: HistogramName, seconds: number, labels: Attributes): void {
    this.#histograms.get(name)?.record(seconds, labels)
  }

  gauge(name: GaugeName, read: () => Promise<Reading[]> | Reading[]): void {
    const { unit, text } = metricOf(name)
    this.#meter.createObservableGauge(name, { unit, description: text }).addCallback(async (result) => {
      try {
        for (const { value, labels = {} } of await within(READ_MS, read)) result.observe(value, labels)
      } catch (error) {
        this.#log.debug({ err: error, metric: name }, 'a metric could not be read')
      }
    })
  }

  /** A sum that its owner keeps, read whenever metrics are collected. */
  total(name: TotalName, read: () => Reading[]): void {
    const { unit, text } = metricOf(name)
    this.#meter.createObservableCounter(name, { unit, description: text }).addCallback((result) => {
      for (const { value, labels = {} } of read()) result.observe(value, labels)
    })
  }

  close(): void {
    this.#forget()
    this.#delay.disable()
  }
}

async function within<T>(ms: number, read: () => Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([read(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Every set of labels that a counter can have. */
function combinations(labels: Record<string, readonly string[]>): Attributes[] {
  return Object.entries(labels).reduce<Attributes[]>(
    (sets, [label, values]) => sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value }))),
    [{}],
  )
}
