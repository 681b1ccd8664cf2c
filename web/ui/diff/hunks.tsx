import { Fragment, useMemo, type ReactNode } from 'react'
import type { DiffSide } from '../../../shared/vocabulary.ts'
import type { FileDiff } from '../../lib/types.ts'
import classes from './diff.module.css'
import { useDiffLayout, useReviewOfLines } from './look.ts'
import { pairedLines } from './paired-lines.ts'
import { wordMarks, type Stretch } from './word-marks.ts'

type Hunk = FileDiff['hunks'][number]
type Numbered = ReturnType<typeof numbered>[number]

const signs = { context: ' ', add: '+', delete: '-' } as const

/** The changed lines of a file with some around them; line numbers before and after. */
export function Hunks({ hunks }: { hunks: Hunk[] }) {
  const isSplit = useDiffLayout() === 'split'
  return (
    <div className={classes['scroll']} tabIndex={0} role="group" aria-label="Changed lines">
      <table className={classes['diff']} data-layout={isSplit ? 'split' : 'unified'}>
        {isSplit && (
          // The first row spans all columns, so that it gives them no width.
          <colgroup>
            <col width={64} />
            <col />
            <col width={64} />
            <col />
          </colgroup>
        )}
        <tbody>
          {hunks.map((hunk, i) => (
            <Fragment key={i}>
              <tr data-kind="hunk">
                <td
                  colSpan={isSplit ? 4 : 3}
                >{`@@ −${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`}</td>
              </tr>
              {isSplit ? <SplitRows hunk={hunk} /> : <UnifiedRows hunk={hunk} />}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function UnifiedRows({ hunk }: { hunk: Hunk }) {
  const lines = useMemo(() => marked(hunk), [hunk])
  return lines.map((line, i) => (
    <Fragment key={i}>
      <tr data-kind={line.kind}>
        <td>{line.kind === 'delete' ? <Number side="old" line={line.before} /> : line.before}</td>
        <td>{line.kind === 'delete' ? null : <Number side="new" line={line.after} />}</td>
        <td>
          {signs[line.kind]} <Content line={line} />
        </td>
      </tr>
      <Below line={line} columns={3} />
    </Fragment>
  ))
}

function SplitRows({ hunk }: { hunk: Hunk }) {
  const rows = useMemo(() => pairedLines(marked(hunk)), [hunk])
  return rows.map(({ left, right }, i) => (
    <Fragment key={i}>
      <tr>
        <td data-side={left?.kind}>{left && <Number side="old" line={left.before} />}</td>
        <td data-side={left?.kind}>{left && <Content line={left} />}</td>
        <td data-side={right?.kind}>{right && <Number side="new" line={right.after} />}</td>
        <td data-side={right?.kind}>{right && <Content line={right} />}</td>
      </tr>
      {left && left !== right && <Below line={left} columns={4} />}
      {right && <Below line={right} columns={4} />}
    </Fragment>
  ))
}

/** A line's number; with a review, a button beside it begins a comment. */
function Number({ side, line }: { side: DiffSide; line: number | undefined }) {
  const onStart = useReviewOfLines()?.onStart
  if (line === undefined || !onStart) return line
  return (
    <>
      <button
        type="button"
        className={classes['start']}
        aria-label={`Comment on line ${line} of the ${side === 'old' ? 'former' : 'new'} file`}
        onClick={() => onStart(side, line)}
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

function Content({ line }: { line: MarkedLine }) {
  if (!line.stretches) return line.text
  return line.stretches.map(({ text, isMarked }, i) => (isMarked ? <mark key={i}>{text}</mark> : text))
}

/** A numbered line, with the words that differ from the line it replaces or is replaced by. */
export type MarkedLine = Numbered & { stretches: Stretch[] | undefined }

function marked(hunk: Hunk): MarkedLine[] {
  const marks = wordMarks(hunk.lines)
  return numbered(hunk).map((line, i) => ({ ...line, stretches: marks.get(i) }))
}

/** Each line with its number in the old and in the new file, where it stands in them. */
export function numbered(hunk: Hunk) {
  let before = hunk.old_start
  let after = hunk.new_start
  return hunk.lines.map((line) => ({
    ...line,
    before: line.kind === 'add' ? undefined : before++,
    after: line.kind === 'delete' ? undefined : after++,
  }))
}
