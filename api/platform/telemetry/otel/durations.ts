import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type CollectionResult,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import { metricOf, type HistogramName } from '../metrics.ts'

/** From a millisecond to what a large upload takes. Each is the last value of its bucket. */
const BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600]
/** Further sets of labels of a metric are counted as one, as the SDK does. */
const MAX_SERIES = 2000
const OVERFLOW = { 'otel.metric.overflow': true }

interface Series {
  labels: Attributes
  since: HrTime
  /** For each bucket, and at the end for what is longer than all of them. */
  counts: number[]
  count: number
  sum: number
  min: number
  max: number
}

/** A place in a tree of label values, a level for each label. Joined to a key they would be a new text for each measurement. */
class Branch {
  readonly below = new Map<unknown, Branch>()
  series: Series | undefined
}

interface Histogram {
  root: Branch
  series: Series[]
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), (ms % 1000) * 1e6]

/**
 * The histograms of one reader. They are added up here and not by the SDK, which sorts and serialises the labels of each
 * measurement: that took 2 % of the CPU time of a small request.
 */
export class Durations implements MetricProducer {
  readonly #scope: string
  readonly #temporality: AggregationTemporality
  #metrics = new Map<HistogramName, Histogram>()
  #since = hrTime(Date.now())

  constructor(scope: string, temporality = AggregationTemporality.CUMULATIVE) {
    this.#scope = scope
    this.#temporality = temporality
  }

  /** Callers name the labels of a metric in the same order each time. */
  record(name: HistogramName, seconds: number, labels: Attributes): void {
    const series = this.#seriesOf(name, labels)
    let bucket = 0
    while (bucket < BUCKETS_S.length && seconds > BUCKETS_S[bucket]!) bucket++
    series.counts[bucket]!++
    series.count++
    series.sum += seconds
    if (seconds < series.min) series.min = seconds
    if (seconds > series.max) series.max = seconds
  }

  #seriesOf(name: HistogramName, labels: Attributes): Series {
    let metric = this.#metrics.get(name)
    if (!metric) this.#metrics.set(name, (metric = { root: new Branch(), series: [] }))
    let branch: Branch | undefined = metric.root
    for (const label in labels) branch = branch?.below.get(labels[label])
    return branch?.series ?? this.#newSeries(name, metric, labels)
  }

  #newSeries(name: HistogramName, { root, series }: Histogram, labels: Attributes): Series {
    if (series.length >= MAX_SERIES && labels !== OVERFLOW) return this.#seriesOf(name, OVERFLOW)
    let branch = root
    for (const value of Object.values(labels)) {
      const next = branch.below.get(value) ?? new Branch()
      branch.below.set(value, next)
      branch = next
    }
    const counts = Array.from({ length: BUCKETS_S.length + 1 }, () => 0)
    const since = this.#temporality === AggregationTemporality.DELTA ? this.#since : hrTime(Date.now())
    branch.series = { labels, since, counts, count: 0, sum: 0, min: Infinity, max: -Infinity }
    series.push(branch.series)
    return branch.series
  }

  async collect(): Promise<CollectionResult> {
    const end = hrTime(Date.now())
    const metrics = [...this.#metrics].map(([name, { series }]) => this.#dataOf(name, series, end))
    if (this.#temporality === AggregationTemporality.DELTA) {
      this.#metrics = new Map()
      this.#since = end
    }
    const scopeMetrics = metrics.length > 0 ? [{ scope: { name: this.#scope }, metrics }] : []
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] }
  }

  #dataOf(name: HistogramName, all: Series[], end: HrTime): HistogramMetricData {
    const { unit, text } = metricOf(name)
    return {
      descriptor: { name, unit, description: text, valueType: ValueType.DOUBLE },
      aggregationTemporality: this.#temporality,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: all.map(({ labels, since, counts, count, sum, min, max }) => ({
        attributes: labels,
        startTime: since,
        endTime: end,
        // Copied: an exporter reads it while requests go on.
        value: { buckets: { boundaries: BUCKETS_S, counts: [...counts] }, count, sum, min, max },
      })),
    }
  }
}
