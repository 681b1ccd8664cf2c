import type { NamedFeature } from '../../../../../shared/viewer.ts'
import type { SelectRow } from '../engine/messages.ts'
import { kindOf } from '../where/columns.ts'
import {
  aggregates,
  binsOf,
  histOf,
  momentText,
  readAggregates,
  rounded,
  spanText,
  type Aggregates,
} from './numbers.ts'

/** Statistics of one column; long integers are `bigint`. */
export interface ColumnResult {
  column_name: string
  column_type: string
  column_statistics: Record<string, unknown>
}

/** A column in two steps: what is asked of all values first, and then by what was found. */
export interface ColumnPlan {
  first: string[]
  /** The selects of the second step, and what the column is. */
  next(rows: SelectRow[][]): { selects: string[]; finish(rows: SelectRow[][]): ColumnResult }
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : rounded(part / whole))
const missingOf = (missing: number, n: number) => ({ nan_count: missing, nan_proportion: share(missing, n) })

/** How the statistics of a column are made; nothing for one that has none. */
export function planColumn({ name, type }: NamedFeature, index: number): ColumnPlan | undefined {
  const c = `c${index}`
  const kind = kindOf(type)
  switch (kind.of) {
    case 'integer':
      return numbers(name, 'int', c, true)
    case 'float':
    case 'float32':
      return numbers(name, 'float', `CASE WHEN isfinite(${c}) THEN ${c}::DOUBLE END`, false)
    case 'decimal':
      return numbers(name, 'float', `${c}::DOUBLE`, false)
    case 'list':
      return numbers(name, 'list', `len(${c})`, true)
    case 'boolean':
      return booleans(name, c)
    case 'label':
      return labels(name, c, kind.names)
    case 'text':
      return texts(name, c)
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return moments(name, `epoch_us(${c}::TIMESTAMP)`, kind.of === 'timestamptz')
    default:
      return undefined
  }
}

type Show = (found: Aggregates, edges: (bigint | number)[], hist: number[]) => Record<string, unknown>

const plain: Show = ({ low, high, mean, median, std }, edges, hist) => {
  const show = (value: bigint | number | undefined) => (typeof value === 'number' ? rounded(value) : value)
  return {
    min: show(low),
    max: show(high),
    mean: rounded(mean),
    median: rounded(median),
    std: rounded(std),
    histogram: { hist, bin_edges: edges.map(show) },
  }
}

const nothing = { min: null, max: null, mean: null, median: null, std: null, histogram: null }

/** The second step of a column of numbers. */
function spread(name: string, type: string, x: string, found: Aggregates, show: Show) {
  const { low, high, n, missing } = found
  const result = (more: Record<string, unknown>): ColumnResult => ({
    column_name: name,
    column_type: type,
    column_statistics: { ...missingOf(missing, n), ...more },
  })
  if (low === undefined || high === undefined) return { selects: [], finish: () => result(nothing) }
  const bins = binsOf(x, low, high)
  return {
    selects: [bins.select],
    finish: ([rows = []]: SelectRow[][]) => result(show(found, bins.edges, histOf(bins, rows))),
  }
}

const numbers = (name: string, type: string, x: string, isInteger: boolean): ColumnPlan => ({
  first: [aggregates(x)],
  next: ([[row = {}] = []]) => spread(name, type, x, readAggregates(row, isInteger), plain),
})

/** Moments are counted in whole seconds since the first one. */
function moments(name: string, micros: string, isZoned: boolean): ColumnPlan {
  const first = `SELECT min(${micros}) AS low FROM v`
  const seconds = `((${micros}) - (${first})) // 1000000`
  return {
    first: [aggregates(seconds), first],
    next([[row = {}] = [], [start = {}] = []]) {
      const text = (value: bigint | number | undefined) =>
        momentText(Number(start['low']) + Number(value) * 1e6, isZoned)
      const show: Show = ({ low, high, mean, median, std }, edges, hist) => ({
        min: text(low),
        max: text(high),
        mean: text(mean),
        median: text(median),
        std: spanText(std),
        histogram: { hist, bin_edges: edges.map(text) },
      })
      return spread(name, 'datetime', seconds, readAggregates(row, true), show)
    },
  }
}

const booleans = (name: string, c: string): ColumnPlan => ({
  first: [`SELECT count(*) AS n, count(${c}) AS present, count(*) FILTER (${c}) AS yes FROM v`],
  next: ([[row = {}] = []]) => ({
    selects: [],
    finish() {
      const [n, present, yes] = [row['n'], row['present'], row['yes']].map(Number) as [number, number, number]
      const frequencies = { True: yes, False: present - yes }
      return {
        column_name: name,
        column_type: 'bool',
        column_statistics: { ...missingOf(n - present, n), frequencies },
      }
    },
  }),
})

const frequencies = (c: string) =>
  `SELECT ${c} AS value, count(*) AS n FROM v GROUP BY value ORDER BY n DESC, value`

const labels = (name: string, c: string, names: string[]): ColumnPlan => ({
  first: [frequencies(c)],
  next: ([rows = []]) => ({
    selects: [],
    finish() {
      const counts = new Map(rows.map(({ value, n }) => [value === null ? null : Number(value), Number(n)]))
      const n = [...counts.values()].reduce((a, b) => a + b, 0)
      const unlabelled = counts.get(-1) ?? 0
      return {
        column_name: name,
        column_type: 'class_label',
        column_statistics: {
          ...missingOf(counts.get(null) ?? 0, n),
          no_label_count: unlabelled,
          no_label_proportion: share(unlabelled, n),
          n_unique: names.length,
          frequencies: Object.fromEntries(names.map((label, i) => [label, counts.get(i) ?? 0])),
        },
      }
    },
  }),
})

const MAX_LABELS = 1000
const FEW_LABELS = 10
const LABEL_SHARE = 0.2
const momentPattern = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Text is dates, labels or text: dates where the first hundred values are, labels where there are few. */
function texts(name: string, c: string): ColumnPlan {
  const asMoments = moments(name, `epoch_us(try_cast(${c} AS TIMESTAMP))`, false)
  return {
    first: [
      `SELECT ${c} AS value FROM v WHERE ${c} IS NOT NULL LIMIT 100`,
      `SELECT count(*) AS n, count(try_cast(${c} AS TIMESTAMP)) AS moments, count(${c}) AS present FROM v`,
      `SELECT count(*) AS n FROM (SELECT DISTINCT ${c} FROM v WHERE ${c} IS NOT NULL LIMIT ${MAX_LABELS + 1})`,
      aggregates(`length(${c})`),
      ...asMoments.first,
    ],
    next([values = [], [counts = {}] = [], [distinct = {}] = [], [lengths = {}] = [], ...times]) {
      const [n, present, unique] = [counts['n'], counts['present'], distinct['n']].map(Number) as [
        number,
        number,
        number,
      ]
      const isMoments =
        values.length > 0 &&
        values.every(({ value }) => momentPattern.test(String(value))) &&
        Number(counts['moments']) === present
      if (isMoments) return asMoments.next(times)
      // The public viewer counts null as a value here.
      const differing = unique + (present < n ? 1 : 0)
      const isLabels = differing <= FEW_LABELS || (differing <= MAX_LABELS && differing / n <= LABEL_SHARE)
      if (!isLabels) return spread(name, 'string_text', `length(${c})`, readAggregates(lengths, true), plain)
      return {
        selects: [frequencies(c)],
        finish: ([rows = []]: SelectRow[][]) => ({
          column_name: name,
          column_type: 'string_label',
          column_statistics: {
            ...missingOf(n - present, n),
            no_label_count: 0,
            no_label_proportion: 0,
            n_unique: unique,
            frequencies: Object.fromEntries(
              rows
                .filter(({ value }) => value !== null)
                .map(({ value, n: count }) => [String(value), Number(count)]),
            ),
          },
        }),
      }
    },
  }
}
