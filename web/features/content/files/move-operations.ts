import type { CommitOperation } from '../../../lib/types.ts'

/** A file that goes from one path to another. */
export interface Move {
  from: string
  to: string
}

/** Where entries go that move into a folder: each keeps its own name; files of a folder keep theirs below it. */
export function movesInto(folder: string, entry: string, files: string[]): Move[] {
  const parent = entry.includes('/') ? entry.slice(0, entry.lastIndexOf('/') + 1) : ''
  const target = folder === '' ? '' : `${folder.replace(/^\/+|\/+$/g, '')}/`
  return files.map((from) => ({ from, to: target + from.slice(parent.length) }))
}

/** Where files go when an entry gets another path. */
export function movesTo(path: string, entry: string, files: string[]): Move[] {
  const target = path.replace(/^\/+|\/+$/g, '')
  return files.map((from) => ({ from, to: target + from.slice(entry.length) }))
}

/** The moves as operations of one commit: every copy before any deletion, so that no file is read after it is gone. */
export function moveOperations(moves: Move[]): CommitOperation[] {
  const real = moves.filter(({ from, to }) => from !== to)
  return [
    ...real.map(({ from, to }) => ({ op: 'copy' as const, from, to })),
    ...real.map(({ from }) => ({ op: 'delete' as const, path: from })),
  ]
}
