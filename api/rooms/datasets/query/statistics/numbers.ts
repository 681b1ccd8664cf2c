import { durationText } from '../../viewer/cells/times.ts'
import type { SelectRow } from '../engine/messages.ts'

/*
 * Statistics of numbers as the public viewer makes them (dataset-viewer.md §5).
 */

const BINS = 10

/** Rounded as the public viewer rounds. */
export const rounded = (value: number): number => Math.round(value * 1e5) / 1e5

/** DuckDB fails where the square of a value is beyond all doubles. */
const deviation = `CASE WHEN max(abs(x::DOUBLE)) < 1e150 THEN stddev_samp(x) FILTER (WHERE abs(x::DOUBLE) < 1e150)
    ELSE stddev_samp(x / 1e160) * 1e160 END`

/** Aggregates over an expression `x`, which is null for what is no value. */
export const aggregates = (x: string): string =>
  `SELECT count(*) AS n, count(x) AS present, min(x) AS low, max(x) AS high, avg(x) AS mean, median(x) AS middle,
    ${deviation} AS spread FROM (SELECT ${x} AS x FROM v)`

export interface Aggregates {
  n: number
  missing: number
  low?: bigint | number
  high?: bigint | number
  mean: number
  median: number
  /** 0 of one value. */
  std: number
}

/** `isInteger`: the values are integers, which keep all their digits. */
export function readAggregates(row: SelectRow, isInteger: boolean): Aggregates {
  const n = Number(row['n'])
  const present = Number(row['present'])
  const read = (value: unknown) => (isInteger ? BigInt(String(value)) : Number(value))
  return {
    n,
    missing: n - present,
    ...(present > 0 ? { low: read(row['low']), high: read(row['high']) } : {}),
    mean: Number(row['mean']),
    median: Number(row['middle']),
    std: Number(row['spread'] ?? 0),
  }
}

/** Left-closed bins, the last one closed. */
export interface Bins {
  edges: (bigint | number)[]
  /** Select of `bin, n` over the expression. */
  select: string
}

/** The bins between two values. Those of integers are whole, so there may be fewer than ten. */
export function binsOf(x: string, low: bigint | number, high: bigint | number): Bins {
  const of = (bin: string) =>
    `SELECT ${bin} AS bin, count(*) AS n FROM (SELECT ${x} AS x FROM v) WHERE x IS NOT NULL GROUP BY bin`
  if (low === high) return { edges: [low, high], select: of('0') }
  if (typeof low === 'bigint' && typeof high === 'bigint') {
    const width = (high - low + BigInt(BINS)) / BigInt(BINS)
    const edges: bigint[] = []
    for (let edge = low; edge < high; edge += width) edges.push(edge)
    const last = edges.length - 1
    return { edges: [...edges, high], select: of(`least((x::HUGEINT - ${low}) // ${width}, ${last})`) }
  }
  const [from, to] = [Number(low), Number(high)]
  const width = (to - from) / BINS
  const edges = Array.from({ length: BINS }, (_, i) => from + i * width)
  return {
    edges: [...edges, to],
    select: of(`least(floor((x - ${literal(from)}) / ${literal(width)}), ${BINS - 1})`),
  }
}

const literal = (value: number) => `'${value}'::DOUBLE`

/** Counts of the bins of a select. */
export function histOf({ edges }: Bins, rows: SelectRow[]): number[] {
  const hist = Array.from({ length: edges.length - 1 }, () => 0)
  for (const { bin, n } of rows) hist[Math.max(0, Number(bin))] = Number(n)
  return hist
}

/** `2024-01-31 13:45:00` of microseconds since 1970. */
export function momentText(micros: number, isZoned: boolean): string {
  const date = new Date(micros / 1000)
  if (Number.isNaN(date.getTime())) return String(micros)
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}${isZoned ? '+0000' : ''}`
}

/** `2 days, 3:04:05.500000` of seconds, as Python writes a `timedelta`. */
export const spanText = (seconds: number): string =>
  durationText(BigInt(Math.round(rounded(seconds) * 1e6)), 'us')
