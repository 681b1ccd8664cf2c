import type { LogLine } from './queries.ts'

/** A line of a log with how many were left out before it. */
interface ShownLine extends LogLine {
  leftOut: number
}

/** The lines as they are shown: where numbers are missing, that many were left out. */
const shownLines = (lines: readonly LogLine[]): ShownLine[] =>
  lines.map((line, i) => ({ ...line, leftOut: line.number - (lines[i - 1]?.number ?? 0) - 1 }))

export const leftOutText = (count: number) => (count === 1 ? '1 line left out' : `${count} lines left out`)

/** A log as text, to be copied and saved: time, attempt and what was said. */
export const logText = (lines: readonly LogLine[]): string =>
  shownLines(lines)
    .flatMap(({ leftOut, at, attempt, text }) => [
      ...(leftOut > 0 ? [`… ${leftOutText(leftOut)}`] : []),
      `${at} [${attempt}] ${text}`,
    ])
    .map((line) => `${line}\n`)
    .join('')

/** A line that has what is searched for, in parts as by `partsOf`. */
export interface FoundLine extends ShownLine {
  parts: string[]
}

/** The lines that have what is searched for; all, with what was left out between them, where nothing is. */
export const foundLines = (lines: readonly LogLine[], searched: string): FoundLine[] =>
  shownLines(lines)
    .map((line) => ({ ...line, parts: partsOf(line.text, searched) }))
    .filter(({ parts }) => searched === '' || parts.length > 1)
    .map((line) => (searched === '' ? line : { ...line, leftOut: 0 }))

/** A text in parts, every second of which is what was searched for, in any case. */
export const partsOf = (text: string, searched: string): string[] =>
  searched === ''
    ? [text]
    : text.split(new RegExp(`(${searched.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`, 'giu'))
