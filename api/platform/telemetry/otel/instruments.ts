import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Attributes, Counter, Meter } from '@opentelemetry/api'
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
import type { Durations } from './durations.ts'

const NANOSECONDS = 1e9
/** A gauge that takes longer to read is left out of that collection. */
const READ_MS = 5000

/** Every instrument of `metrics`, by its name. */
export class Instruments {
  readonly #meter: Meter
  readonly #log: Logger
  readonly #counters = new Map<CounterName, Counter>()
  readonly #durations: readonly Durations[]
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  readonly #forget: () => void

  /** `durations` are those of each reader of `meter`. */
  constructor(meter: Meter, durations: readonly Durations[], log: Logger) {
    this.#meter = meter
    this.#durations = durations
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
    if (kind !== 'counter') return
    const counter = this.#meter.createCounter(name, { unit, description: text })
    this.#counters.set(name as CounterName, counter)
    for (const set of combinations(labels)) counter.add(0, set)
  }

  count(name: CounterName, by: number, labels: Attributes): void {
    this.#counters.get(name)?.add(by, labels)
  }

  record(name: HistogramName, seconds: number, labels: Attributes): void {
    for (const durations of this.#durations) durations.record(name, seconds, labels)
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
