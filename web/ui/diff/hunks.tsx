import { maxColoured } from '../code/highlight.ts'
import { languageOf } from '../code/languages.ts'
import type { FileDiff } from '../../lib/types.ts'
import classes from './diff.module.css'
import { useHunkColours } from './line-colours.ts'
import { useDiffLayout } from './look.ts'
import { useMemo } from 'react'
import { markedLines, type Hunk } from './marked-lines.ts'
import { Rows } from './rows.tsx'

/** The changed lines of a file with some around them; line numbers before and after. */
export function Hunks({ diff }: { diff: FileDiff }) {
  const { path, hunks } = diff
  const isSplit = useDiffLayout() === 'split'
  const language = useMemo(() => (isLong(hunks) ? undefined : languageOf(path)), [hunks, path])
  return (
    <div className={classes['scroll']} tabIndex={0} role="group" aria-label="Changed lines" data-keeps-focus>
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
        {hunks.map((hunk, i) => (
          <HunkRows key={i} hunk={hunk} isSplit={isSplit} language={language} />
        ))}
      </table>
    </div>
  )
}

const isLong = (hunks: Hunk[]) =>
  hunks.reduce((sum, { lines }) => lines.reduce((n, { text }) => n + text.length, sum), 0) > maxColoured

interface HunkProps {
  hunk: Hunk
  isSplit: boolean
  language: string | undefined
}

function HunkRows({ hunk, isSplit, language }: HunkProps) {
  const lines = useMemo(() => markedLines(hunk), [hunk])
  const colours = useHunkColours(hunk, language)
  return (
    <>
      <tbody>
        <tr data-kind="hunk">
          <td
            colSpan={isSplit ? 4 : 3}
          >{`@@ −${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`}</td>
        </tr>
      </tbody>
      <Rows lines={lines} isSplit={isSplit} colours={colours} />
    </>
  )
}
