/** Lines that follow each other and come from one commit. Lines count from 1. */
export interface BlameRange {
  start: number
  count: number
  /** 40-hex. */
  commit: string
  /** The line of the commit's own file that the first of them is, and where that file was. */
  originalStart: number
  originalPath: string
  /** Where the file was before the commit; absent when the commit made it. */
  previous?: { commit: string; path: string }
}

/** Which commit each line of a file comes from. */
export interface Blame {
  /** In the order of the lines, without gaps. */
  ranges: BlameRange[]
  /** Of the whole file. */
  lineCount: number
  /** There are more lines than the ranges have. */
  isTruncated: boolean
}

/** Why a file has none. */
export type NoBlame = 'binary' | 'too-large' | 'takes-too-long'

/** Memory that it takes, about. */
export function sizeOfBlame(found: Blame | NoBlame): number {
  if (typeof found === 'string') return 0
  let bytes = 0
  for (const { originalPath, previous } of found.ranges)
    bytes += 300 + 2 * (originalPath.length + (previous?.path.length ?? 0))
  return bytes
}
