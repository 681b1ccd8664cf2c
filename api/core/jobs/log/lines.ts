import { jobLog } from '../../../../shared/vocabulary.ts'

/** One line of the log of a job. */
export interface LogLine {
  /** From 1, over all attempts. A gap says how many were left out. */
  number: number
  attempt: number
  at: Date
  text: string
}

/** Lines of an attempt, numbered on from those that are written. */
export function linesOf(
  { attempt, log_lines: last }: { attempt: number; log_lines: number },
  texts: readonly string[],
  at: Date,
): LogLine[] {
  return texts.map((text, i) => ({ number: last + 1 + i, attempt, at, text: oneLine(text) }))
}

/** A text as one line that both engines keep, cut where it is too long. */
function oneLine(text: string): string {
  const line = Buffer.from(text)
    .toString()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  if (line.length <= jobLog.maxText) return line
  // Half a character at the cut is left out.
  return `${line.slice(0, jobLog.maxText - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
