import { useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { limits, type DiffSide } from '../../../shared/vocabulary.ts'
import { hasLine } from './gaps.ts'
import { useReviewOfLines, type ChosenLines } from './look.ts'
import type { Hunk, MarkedLine } from './marked-lines.ts'

interface Line {
  side: DiffSide
  line: number
}

/** The first and the last of the chosen lines. */
export const endsOf = ({ anchor, line }: ChosenLines): [first: number, last: number] =>
  anchor < line ? [anchor, line] : [line, anchor]

/** Whether a line of a diff is among the chosen ones. */
export function isChosen(chosen: ChosenLines | undefined, { before, after }: MarkedLine): boolean {
  const number = chosen?.side === 'old' ? before : after
  if (!chosen || number === undefined) return false
  const [first, last] = endsOf(chosen)
  return first <= number && number <= last
}

/** The lines from where the choice began up to `to`; `undefined` where no comment can be about all of them. */
export function reaching(hunks: Hunk[], from: Line, to: Line): ChosenLines | undefined {
  const isNear = Math.abs(from.line - to.line) < limits.reviewLines
  if (from.side !== to.side || !isNear) return undefined
  const isOne = hunks.some((hunk) => hasLine([hunk], from) && hasLine([hunk], to))
  return isOne ? { side: to.side, anchor: from.line, line: to.line } : undefined
}

const buttons = 'button[data-line]'

function lineOf(button: Element | null | undefined): Line | undefined {
  if (!(button instanceof HTMLElement) || !button.matches(buttons)) return undefined
  return { side: button.dataset['side'] as DiffSide, line: Number(button.dataset['line']) }
}

/**
 * Lines are chosen by a press on the button beside one and, with Shift, on that of another; by Shift and an arrow; and by
 * dragging over their numbers. One listener serves a table of thousands of rows.
 */
export function useLineChoice(hunks: Hunk[]) {
  const review = useReviewOfLines()
  const drag = useRef<{ from: Line; to: ChosenLines | undefined }>(undefined)
  const { onChoose, chosen } = review ?? {}
  if (!onChoose) return {}
  const anchor = chosen && { side: chosen.side, line: chosen.anchor }
  const single = ({ side, line }: Line): ChosenLines => ({ side, anchor: line, line })

  const onClick = (event: MouseEvent) => {
    const line = lineOf(event.target instanceof Element ? event.target.closest(buttons) : null)
    if (!line) return
    const isEnd = chosen?.side === line.side && chosen.line === line.line
    const isMore = event.shiftKey || isEnd
    onChoose((isMore && anchor && reaching(hunks, anchor, line)) || single(line), true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const line = lineOf(event.target instanceof Element ? event.target : null)
    if (!line || !event.shiftKey) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(`${buttons}[data-side="${line.side}"]`)]
    const next = all[all.findIndex((each) => each === event.target) + step]
    const to = lineOf(next)
    const isGoingOn = anchor?.side === line.side && chosen?.line === line.line
    const lines = to && reaching(hunks, isGoingOn ? anchor : line, to)
    if (!lines) return
    next?.focus()
    onChoose(lines, false)
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !(event.target instanceof Element)) return
    const from = lineOf(event.target.closest('td')?.querySelector(`:scope > ${buttons}`))
    drag.current = from && { from, to: undefined }
  }
  const onPointerMove = (event: PointerEvent) => {
    const { current } = drag
    if (!current || !(event.target instanceof Element)) return
    if (event.buttons !== 1) {
      drag.current = undefined
      return
    }
    const row = event.target.closest('tr')
    const to = lineOf(row?.querySelector(`${buttons}[data-side="${current.from.side}"]`))
    const isFirst = !current.to && to?.line === current.from.line
    const lines = to && !isFirst && reaching(hunks, current.from, to)
    if (!lines || lines.line === current.to?.line) return
    current.to = lines
    onChoose(lines, false)
  }
  const onPointerUp = () => {
    const { current } = drag
    drag.current = undefined
    if (current?.to) onChoose(current.to, true)
  }
  return { onClick, onKeyDown, onPointerDown, onPointerMove, onPointerUp }
}
