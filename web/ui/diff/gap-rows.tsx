import { IconArrowDown, IconArrowUp, IconArrowsVertical } from '@tabler/icons-react'
import { useMemo, useState, type ReactNode } from 'react'
import classes from './diff.module.css'
import { contextLines, hiddenOf, type Gap, type Shown } from './gaps.ts'
import type { SideColours } from './line-colours.ts'
import type { Hunk } from './marked-lines.ts'
import { Rows } from './rows.tsx'
import { stepLines, type Wish } from './use-more-lines.ts'

interface GapRowsProps {
  gap: Gap
  shown: Shown
  /** The hunk that follows, with the lines that are shown around it. */
  hunk: Hunk | undefined
  text: string[] | undefined
  colours: SideColours
  isSplit: boolean
  onShow: (wish: Wish) => void
}

/** Lines that a diff leaves out: those already shown, and between them the way to more. */
export function GapRows({ gap, shown, hunk, text, colours, isSplit, onShow }: GapRowsProps) {
  const { from, upTo, shift } = gap
  const { after, before } = shown
  const [above, below] = useMemo(
    () => [
      text ? contextLines(text, { from, upTo: from + after, shift }) : [],
      text ? contextLines(text, { from: upTo - before, upTo, shift }) : [],
    ],
    [text, from, upTo, shift, after, before],
  )
  const hidden = hiddenOf(gap, shown)
  return (
    <>
      <Rows lines={above} isSplit={isSplit} colours={colours} isOutside />
      {hidden > 0 ? (
        <HunkHead hunk={hunk} isSplit={isSplit}>
          <Ways
            hidden={hidden}
            before={hunk && upTo - before}
            after={from + after > 1 ? from + after - 1 : undefined}
            onShow={onShow}
          />
        </HunkHead>
      ) : (
        from === upTo && hunk && <HunkHead hunk={hunk} isSplit={isSplit} />
      )}
      <Rows lines={below} isSplit={isSplit} colours={colours} isOutside />
    </>
  )
}

interface HunkHeadProps {
  hunk: Hunk | undefined
  isSplit: boolean
  children?: ReactNode
}

/** The row above a hunk, or below the last. */
export function HunkHead({ hunk, isSplit, children }: HunkHeadProps) {
  return (
    <tbody>
      <tr data-kind="hunk">
        <td colSpan={isSplit ? 4 : 3}>
          <div className={classes['head']}>
            {hunk && `@@ −${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`}
            {children}
          </div>
        </td>
      </tr>
    </tbody>
  )
}

interface WaysProps {
  hidden: number
  /** The line that follows the hidden ones, where a hunk has it. */
  before: number | undefined
  /** The line that stands before them, where a hunk has it. */
  after: number | undefined
  onShow: (wish: Wish) => void
}

function Ways({ hidden, before, after, onShow }: WaysProps) {
  const [pressed, setPressed] = useState<Wish>('all')
  const isFew = hidden <= stepLines
  const way = (wish: Wish, text: string, place: string, icon: ReactNode) => (
    <button
      // The button for the last few lines is the one that was pressed before: it keeps the focus.
      key={isFew ? pressed : wish}
      type="button"
      className={classes['more']}
      aria-label={`${text} ${place}`}
      onClick={() => {
        if (!isFew) setPressed(wish)
        onShow(wish)
      }}
    >
      {icon}
      {text}
    </button>
  )
  const few = `Show ${hidden} ${hidden === 1 ? 'line' : 'lines'}`
  const where = after === undefined ? `above line ${before}` : `below line ${after}`
  return (
    <span className={classes['ways']}>
      {!isFew &&
        after !== undefined &&
        way('after', `Show ${stepLines} below`, `line ${after}`, <IconArrowDown size={13} />)}
      {!isFew &&
        before !== undefined &&
        way('before', `Show ${stepLines} above`, `line ${before}`, <IconArrowUp size={13} />)}
      {way('all', isFew ? few : `Show all ${hidden}`, where, <IconArrowsVertical size={13} />)}
    </span>
  )
}
