import type { FileDiff } from '../../lib/types.ts'
import { wordMarks, type DiffLine, type Stretch } from './word-marks.ts'

export type Hunk = FileDiff['hunks'][number]

/** A line with its number in the old and in the new file, where it stands in them, and the words that differ. */
export interface MarkedLine extends DiffLine {
  before: number | undefined
  after: number | undefined
  /** What differs from the line it replaces or is replaced by. */
  stretches: Stretch[] | undefined
}

export function markedLines(hunk: Hunk, ignoresWhiteSpace = false): MarkedLine[] {
  const marks = wordMarks(hunk.lines, ignoresWhiteSpace)
  let before = hunk.old_start
  let after = hunk.new_start
  return hunk.lines.map((line, i) => ({
    ...line,
    before: line.kind === 'add' ? undefined : before++,
    after: line.kind === 'delete' ? undefined : after++,
    stretches: marks.get(i),
  }))
}
