import type { ColumnStatistics, Histogram } from '../../../shared/viewer.ts'
import { formatCompact, formatExact, formatShare, numberFormat } from '../../lib/format.ts'
import classes from './grid.module.css'

/** An edge of a bin; integers beyond 2^53 keep their digits, which a filter needs. */
type Edge = number | bigint | string

/** What of a chart was pressed: a range of a histogram, a value, or what is null. */
export type Picked =
  | { from: Edge; to: Edge; isLast: boolean; isLength: boolean }
  | { value: string }
  | { isNull: true }

interface ChartProps {
  statistics: ColumnStatistics
  /** Filters by what was pressed; left out where the column cannot be filtered. */
  onPick: ((pick: Picked) => void) | undefined
}

/** How the values of a column spread: a histogram or the most frequent values, the ends, and the share of nulls. */
export function Chart({ statistics, onPick }: ChartProps) {
  const { column_statistics: facts, column_type: type } = statistics
  const isLength = type === 'string_text' || type === 'list'
  return (
    <div className={classes['chart']}>
      {facts.histogram && facts.histogram.hist.length > 0 && (
        <Bars
          histogram={facts.histogram}
          isLength={isLength}
          unit={unitOf(type)}
          // Filters ask of media only whether there are any.
          onPick={type === 'image' || type === 'audio' ? undefined : onPick}
        />
      )}
      {facts.frequencies && <Values frequencies={facts.frequencies} onPick={onPick} />}
      {facts.nan_proportion > 0 && (
        <Part
          className={classes['nulls'] ?? ''}
          title={`${formatExact(facts.nan_count)} rows have no value here`}
          onPress={onPick && (() => onPick({ isNull: true }))}
        >
          {formatShare(facts.nan_proportion)} null
        </Part>
      )}
    </div>
  )
}

const units: Partial<Record<ColumnStatistics['column_type'], string>> = {
  string_text: 'characters',
  list: 'items',
  image: 'px wide',
  audio: 's',
  video: 's',
}
const unitOf = (type: ColumnStatistics['column_type']) => units[type] ?? ''

interface BarsProps {
  histogram: Histogram
  isLength: boolean
  unit: string
  onPick: ChartProps['onPick']
}

function Bars({ histogram: { hist, bin_edges: edges }, isLength, unit, onPick }: BarsProps) {
  const most = Math.max(...hist, 1)
  const width = 100 / hist.length
  return (
    <>
      <svg className={classes['bars']} viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true">
        {hist.map((count, i) => {
          const from = edges[i] ?? 0
          const to = edges[i + 1] ?? from
          const height = count === 0 ? 0 : Math.max(1.5, (count / most) * 26)
          const pick = { from, to, isLast: i === hist.length - 1, isLength }
          return (
            <g
              // The bins are in a fixed order.
              // oxlint-disable-next-line react/no-array-index-key
              key={i}
              className={onPick && count > 0 ? classes['bar'] : undefined}
              onClick={onPick && count > 0 ? () => onPick(pick) : undefined}
            >
              <title>{`${edgeText(from)} to ${edgeText(to)} ${unit}: ${formatExact(count)} rows`}</title>
              <rect x={i * width} y={0} width={width} height={26} fill="transparent" />
              <rect
                className={classes['barFill']}
                x={i * width + 0.5}
                y={26 - height}
                width={Math.max(width - 1, 0.5)}
                height={height}
              />
            </g>
          )
        })}
      </svg>
      <span className={classes['ends']}>
        <span>{edgeText(edges[0] ?? '')}</span>
        <span>
          {edgeText(edges.at(-1) ?? '')} {unit}
        </span>
      </span>
    </>
  )
}

const shortNumber = numberFormat({ maximumSignificantDigits: 3 })
const tinyNumber = numberFormat({ maximumSignificantDigits: 3, notation: 'scientific' })

/** An edge of a bin: a number in short, or a day. */
function edgeText(edge: Edge): string {
  if (typeof edge === 'string') return edge.slice(0, 10)
  if (typeof edge === 'bigint') return formatCompact(Number(edge))
  if (Math.abs(edge) >= 1000) return formatCompact(edge)
  return edge !== 0 && Math.abs(edge) < 1e-6 ? tinyNumber(edge) : shortNumber(edge)
}

/** Values shown as parts of one bar; the rest is one part. */
const shownValues = 4

function Values({
  frequencies,
  onPick,
}: {
  frequencies: Record<string, number>
  onPick: ChartProps['onPick']
}) {
  const sorted = Object.entries(frequencies)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
  const sum = sorted.reduce((all, [, count]) => all + count, 0)
  const top = sorted.slice(0, shownValues)
  const rest = sum - top.reduce((all, [, count]) => all + count, 0)
  const [first] = top
  if (!first) return null
  return (
    <>
      <span className={classes['parts']} aria-hidden="true">
        {top.map(([value, count], i) => (
          <button
            key={value}
            type="button"
            // The column's menu leads the keyboard to the same filter.
            tabIndex={-1}
            disabled={!onPick}
            data-rank={i}
            style={{ flexGrow: count }}
            aria-label={`Rows with ${value}`}
            title={`${value}: ${formatExact(count)} rows, ${formatShare(count / sum)}`}
            onClick={() => onPick?.({ value })}
          />
        ))}
        {rest > 0 && (
          <span
            data-rank="rest"
            style={{ flexGrow: rest }}
            title={`${formatExact(rest)} rows have other values`}
          />
        )}
      </span>
      <span className={classes['ends']}>
        <span className={classes['top']}>
          {first[0]} {formatShare(first[1] / sum)}
        </span>
        <span>{sorted.length === 1 ? '1 value' : `${formatCompact(sorted.length)} values`}</span>
      </span>
    </>
  )
}

interface PartProps {
  className: string
  title: string
  onPress: (() => void) | undefined
  children: React.ReactNode
}

function Part({ className, title, onPress, children }: PartProps) {
  if (!onPress)
    return (
      <span className={className} title={title}>
        {children}
      </span>
    )
  return (
    <button type="button" className={className} title={`${title}. Show them.`} onClick={onPress}>
      {children}
    </button>
  )
}
