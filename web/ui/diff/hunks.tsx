import { Fragment, useMemo, useRef, useState, type RefObject } from 'react'
import type { FileDiff } from '../../lib/types.ts'
import { maxColoured, useColours } from '../code/highlight.ts'
import { languageOf } from '../code/languages.ts'
import { useNear } from '../code/use-near.ts'
import { useLineChoice } from './choose-lines.ts'
import classes from './diff.module.css'
import { GapRows, HunkHead } from './gap-rows.tsx'
import { useHunkColours } from './line-colours.ts'
import { useDiffLayout, type DiffLayout } from './look.ts'
import { markedLines, type Hunk } from './marked-lines.ts'
import { Rows } from './rows.tsx'
import { useIgnoresWhiteSpace } from './white-space.ts'
import { useMoreLines, type MoreLines } from './use-more-lines.ts'

interface HunksProps {
  diff: FileDiff
  /** The commit that has the file as it becomes, where more of its lines can be shown. */
  head: string | undefined
}

/** The changed lines of a file with some around them; line numbers before and after. */
export function Hunks({ diff, head }: HunksProps) {
  const { path, hunks } = diff
  const scroll = useRef<HTMLDivElement>(null)
  const isSplit = useLayoutInSight(scroll) === 'split'
  const language = useMemo(() => (isLong(hunks) ? undefined : languageOf(path)), [hunks, path])
  const more = useMoreLines(diff, head)
  const colours = useFileColours(more?.text, path)
  const choice = useLineChoice(hunks)
  const gapBefore = (at: number) => {
    const gap = more?.gaps[at]
    if (!gap) return null
    return (
      <GapRows
        gap={gap}
        shown={more.shown(at)}
        hunk={hunks[at] && extended(hunks[at], more, at)}
        text={more.text}
        colours={colours}
        isSplit={isSplit}
        onShow={(wish) => void more.show(at, wish)}
      />
    )
  }
  return (
    <div
      ref={scroll}
      className={classes['scroll']}
      tabIndex={0}
      role="group"
      aria-label="Changed lines"
      data-keeps-focus
      {...choice}
    >
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
          <Fragment key={i}>
            {more ? gapBefore(i) : <HunkHead hunk={hunk} isSplit={isSplit} />}
            <HunkRows hunk={hunk} isSplit={isSplit} language={language} />
          </Fragment>
        ))}
        {gapBefore(hunks.length)}
      </table>
    </div>
  )
}

/** The layout of the page's diffs. One that is out of sight takes it on its way there: there may be hundreds. */
function useLayoutInSight(element: RefObject<Element | null>): DiffLayout {
  const layout = useDiffLayout()
  const isNear = useNear(element, false)
  const [shown, setShown] = useState(layout)
  if (isNear && shown !== layout) setShown(layout)
  return shown
}

const isLong = (hunks: Hunk[]) =>
  hunks.reduce((sum, { lines }) => lines.reduce((n, { text }) => n + text.length, sum), 0) > maxColoured

/** A hunk with the lines that are shown above and below it. */
function extended(hunk: Hunk, more: MoreLines, at: number): Hunk {
  const { before: above } = more.shown(at)
  const { after: below } = more.shown(at + 1)
  return {
    ...hunk,
    old_start: hunk.old_start - above,
    new_start: hunk.new_start - above,
    old_lines: hunk.old_lines + above + below,
    new_lines: hunk.new_lines + above + below,
  }
}

/** The colours of a whole file. */
function useFileColours(lines: string[] | undefined, path: string) {
  const text = useMemo(() => lines?.join('\n') ?? '', [lines])
  const isPlain = text === '' || text.length > maxColoured
  const colours = useColours(text, isPlain ? undefined : languageOf(path))
  return useMemo(() => {
    const part = { colours, first: 1 }
    return { old: part, new: part }
  }, [colours])
}

interface HunkProps {
  hunk: Hunk
  isSplit: boolean
  language: string | undefined
}

/** The lines of one hunk, for a table of them. */
export function HunkRows({ hunk, isSplit, language }: HunkProps) {
  const ignoresWhiteSpace = useIgnoresWhiteSpace()
  const lines = useMemo(() => markedLines(hunk, ignoresWhiteSpace), [hunk, ignoresWhiteSpace])
  const colours = useHunkColours(hunk, language)
  return <Rows lines={lines} isSplit={isSplit} colours={colours} />
}
