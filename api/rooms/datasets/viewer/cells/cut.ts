import type { Piece } from './out.ts'

/** One row on its way to an answer. */
export interface RowText {
  /** JSON of each cell, in the order of the features. */
  cells: Piece[][]
  /** Cells, by their place, that are the beginning of their JSON text. */
  cut: number[]
}

/** The beginning of a text in UTF-8, cut between characters. */
function beginningOf(text: string, bytes: number): string {
  const all = Buffer.from(text)
  let end = Math.min(bytes, all.length)
  while (end > 0 && end < all.length && ((all[end] ?? 0) & 0xc0) === 0x80) end--
  return all.toString('utf8', 0, end)
}

/** A cell's JSON as a string of no more than so many bytes of it. */
export const cutCell = (json: string, bytes: number): string => JSON.stringify(beginningOf(json, bytes))

/** The text of a cell; `undefined` for one with media, which is never cut. */
export function plainText(cell: readonly Piece[] | undefined): string | undefined {
  const [only] = cell ?? []
  return cell?.length === 1 && typeof only === 'string' ? only : undefined
}
