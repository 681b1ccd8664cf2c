import { Fragment, memo, useMemo, useRef, type ReactNode } from 'react'
import type { DiffSide } from '../../../shared/vocabulary.ts'
import { groupsOf } from '../../lib/groups-of.ts'
import type { ColouredRun } from '../code/highlight.ts'
import { Runs } from '../code/runs.tsx'
import { useNear } from '../code/use-near.ts'
import { isChosen } from './choose-lines.ts'
import { colouredStretches } from './coloured-stretches.ts'
import classes from './diff.module.css'
import { useLineColours, type SideColours } from './line-colours.ts'
import { useReviewOfLines, type ChosenLines } from './look.ts'
import type { MarkedLine } from './marked-lines.ts'
import { pairedLines, type Pair } from './paired-lines.ts'

/** Lines side by side; of a unified diff, one line on the right. */
type Row = Pair<MarkedLine>

/** Rows that are coloured at one go. */
const blockRows = 100
/** Longer lines stay plain: each colour is an element. */
const maxColoured = 2000

const signs = { context: ' ', add: '+', delete: '-' } as const

interface RowsProps {
  lines: MarkedLine[]
  isSplit: boolean
  colours: SideColours
  /** Whether they are no part of the diff: only its own lines can be commented on. */
  isOutside?: boolean
}

/** Lines in blocks, each of which gets its colours by itself: a file may have thousands. */
export function Rows({ lines, isSplit, colours, isOutside = false }: RowsProps) {
  const blocks = useMemo(() => {
    const rows: Row[] = isSplit ? pairedLines(lines) : lines.map((line) => ({ right: line }))
    return groupsOf(rows, blockRows)
  }, [lines, isSplit])
  return blocks.map((rows, i) => (
    <Block key={i} rows={rows} isSplit={isSplit} colours={colours} isOutside={isOutside} />
  ))
}

interface BlockProps {
  rows: Row[]
  isSplit: boolean
  colours: SideColours
  isOutside: boolean
}

const Block = memo(function Block({ rows, isSplit, colours, isOutside }: BlockProps) {
  const block = useRef<HTMLTableSectionElement>(null)
  const isNear = useNear(block, false)
  const lines = useMemo(() => rows.flatMap(({ left, right }) => [left ?? [], right ?? []].flat()), [rows])
  const runsOf = useLineColours(lines, colours, isNear)
  const review = useReviewOfLines()
  const canChoose = !isOutside && review?.onChoose !== undefined
  const chosen = isOutside ? undefined : review?.chosen
  return (
    <tbody ref={block}>
      {rows.map((row, i) =>
        isSplit ? (
          <SplitRow key={i} row={row} runsOf={runsOf} canChoose={canChoose} chosen={chosen} />
        ) : (
          row.right && (
            <UnifiedRow
              key={i}
              line={row.right}
              runs={runsOf(row.right)}
              canChoose={canChoose}
              chosen={chosen}
            />
          )
        ),
      )}
    </tbody>
  )
})

interface Choosing {
  canChoose: boolean
  chosen: ChosenLines | undefined
}

interface UnifiedRowProps extends Choosing {
  line: MarkedLine
  runs: ColouredRun[] | undefined
}

function UnifiedRow({ line, runs, canChoose, chosen }: UnifiedRowProps) {
  const isOld = line.kind === 'delete'
  return (
    <>
      <tr data-kind={line.kind} data-chosen={isChosen(chosen, line) || undefined}>
        <td>{isOld ? <Number side="old" line={line.before} canChoose={canChoose} /> : line.before}</td>
        <td>{isOld ? null : <Number side="new" line={line.after} canChoose={canChoose} />}</td>
        <td>
          {signs[line.kind]} <Content line={line} runs={runs} />
        </td>
      </tr>
      <Below line={line} columns={3} />
    </>
  )
}

interface SplitRowProps extends Choosing {
  row: Row
  runsOf: (line: MarkedLine) => ColouredRun[] | undefined
}

function SplitRow({ row: { left, right }, runsOf, canChoose, chosen }: SplitRowProps) {
  const lookOf = (line: MarkedLine | undefined, side: DiffSide) => ({
    'data-side': line?.kind,
    'data-chosen': (line && chosen?.side === side && isChosen(chosen, line)) || undefined,
  })
  return (
    <>
      <tr>
        <td {...lookOf(left, 'old')}>
          {left && <Number side="old" line={left.before} canChoose={canChoose} />}
        </td>
        <td {...lookOf(left, 'old')}>{left && <Content line={left} runs={runsOf(left)} />}</td>
        <td {...lookOf(right, 'new')}>
          {right && <Number side="new" line={right.after} canChoose={canChoose} />}
        </td>
        <td {...lookOf(right, 'new')}>{right && <Content line={right} runs={runsOf(right)} />}</td>
      </tr>
      {left && left !== right && <Below line={left} columns={4} />}
      {right && <Below line={right} columns={4} />}
    </>
  )
}

interface NumberProps {
  side: DiffSide
  line: number | undefined
  canChoose: boolean
}

/** A line's number; with a review, a button beside it begins a comment. */
function Number({ side, line, canChoose }: NumberProps) {
  if (line === undefined || !canChoose) return line
  return (
    <>
      <button
        type="button"
        className={classes['start']}
        aria-label={`Comment on line ${line} of the ${side === 'old' ? 'former' : 'new'} file`}
        data-side={side}
        data-line={line}
      >
        +
      </button>
      {line}
    </>
  )
}

/** What people said about a line. */
function Below({ line, columns }: { line: MarkedLine; columns: number }) {
  const review = useReviewOfLines()
  if (!review) return null
  const parts: ReactNode[] = [
    line.before !== undefined && review.below('old', line.before),
    line.after !== undefined && review.below('new', line.after),
  ].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <tr data-kind="said">
      <td colSpan={columns}>
        {parts.map((part, i) => (
          <Fragment key={i}>{part}</Fragment>
        ))}
      </td>
    </tr>
  )
}

function Content({ line, runs }: { line: MarkedLine; runs: ColouredRun[] | undefined }) {
  const isColoured = runs !== undefined && line.text.length <= maxColoured
  const stretches = line.stretches ?? [{ text: line.text, isMarked: false }]
  const coloured = isColoured ? colouredStretches(runs, stretches) : undefined
  return stretches.map(({ text, isMarked }, i) => {
    const parts = coloured?.[i]
    if (!parts) return isMarked ? <mark key={i}>{text}</mark> : text
    return isMarked ? (
      <mark key={i}>
        <Runs runs={parts.map(onMark)} />
      </mark>
    ) : (
      <Runs key={i} runs={parts} />
    )
  })
}

/** Comments are too pale for the ground of a mark in the light theme. */
const onMark = ([text, light, dark]: ColouredRun): ColouredRun => [
  text,
  light && `color-mix(in srgb, ${light} 70%, black)`,
  dark,
]
