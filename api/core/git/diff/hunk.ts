export interface DiffLine {
  kind: 'context' | 'add' | 'delete'
  /** Without its newline. */
  text: string
}

/** Lines count from 1; a side without lines starts at 0. */
export interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: DiffLine[]
}

/** The text of a changed file's difference; LFS pointers, binary and too large files have no hunks. */
export interface FileDiff {
  hunks: Hunk[]
  isBinary: boolean
  isTooLarge: boolean
  /** Lines of the file as it becomes, where some are between the hunks, before or after them. */
  totalLines?: number
}

/** Memory that a difference takes, about. */
export function sizeOfDiff({ hunks }: FileDiff): number {
  let bytes = 0
  for (const { lines } of hunks) for (const { text } of lines) bytes += 80 + text.length * 2
  return bytes
}
