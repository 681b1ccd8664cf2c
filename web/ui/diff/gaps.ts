import type { DiffSide } from '../../../shared/vocabulary.ts'
import type { Hunk, MarkedLine } from './marked-lines.ts'

/** Lines that a diff leaves out, by their numbers in the new file. */
export interface Gap {
  from: number
  /** The first that the diff shows again. */
  upTo: number
  /** What makes a line's old number of the new one. */
  shift: number
}

/** How many lines of a gap are shown after the hunk before it, and how many before the hunk that follows. */
export interface Shown {
  after: number
  before: number
}

/** A side without lines starts at the line before. */
const firstOf = (start: number, lines: number) => (lines === 0 ? start + 1 : start)

/** What stands before each hunk, and behind the last. */
export function gapsOf(hunks: readonly Hunk[], totalLines: number): Gap[] {
  const gaps: Gap[] = []
  let from = 1
  let shift = 0
  for (const { old_start, old_lines, new_start, new_lines } of hunks) {
    const [old, now] = [firstOf(old_start, old_lines), firstOf(new_start, new_lines)]
    gaps.push({ from, upTo: now, shift: old - now })
    from = now + new_lines
    shift = old + old_lines - from
  }
  return [...gaps, { from, upTo: Math.max(from, totalLines + 1), shift }]
}

export const hiddenOf = ({ from, upTo }: Gap, { after, before }: Shown) => upTo - from - after - before

/** Whether hunks have a line of one side's file. */
export const hasLine = (hunks: readonly Hunk[], { side, line }: { side: DiffSide; line: number }) =>
  hunks.some((hunk) => {
    const [start, lines] =
      side === 'old' ? [hunk.old_start, hunk.old_lines] : [hunk.new_start, hunk.new_lines]
    return line >= start && line < start + lines
  })

/** Lines of the new file that have not changed. */
export function contextLines(text: readonly string[], { from, upTo, shift }: Gap): MarkedLine[] {
  return text.slice(from - 1, upTo - 1).map((line, i) => ({
    kind: 'context',
    text: line,
    before: from + i + shift,
    after: from + i,
    stretches: undefined,
  }))
}
