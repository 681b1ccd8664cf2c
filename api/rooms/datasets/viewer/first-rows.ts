import type { NamedFeature } from '../../../../shared/viewer.ts'
import { cutCell, plainText } from './cells/cut.ts'
import { holdsMedia } from './cells/holds-media.ts'
import { rowText, type MediaText } from './page-text.ts'
import type { IndexedRow } from './split-rows.ts'

/** How the public viewer makes first rows small (dataset-viewer.md §2). */
const FIRST_ROWS_BYTES = 1_000_000
const MIN_ROWS = 10
const MIN_CELL_BYTES = 100

const isAddress = /^"https?:\/\//

/** Columns that stay whole: media, and those that hold addresses in more than 30 % of their rows. */
function wholeColumns(features: readonly NamedFeature[], rows: readonly IndexedRow[]): Set<number> {
  const whole = new Set<number>()
  features.forEach(({ type }, i) => {
    const addresses = rows.filter(({ cells }) => isAddress.test(plainText(cells[i]) ?? '')).length
    if (holdsMedia(type) || addresses > rows.length * 0.3) whole.add(i)
  })
  return whole
}

/** First rows that fit, as texts of rows, and whether they are all. The last rows are left out first, then cells are cut. */
export function fitFirstRows(
  features: readonly NamedFeature[],
  all: readonly IndexedRow[],
  media: MediaText,
): { texts: string[]; isWhole: boolean } {
  const texts = all.map((row) => rowText(row, features, media))
  const sizes = texts.map((text) => Buffer.byteLength(text))
  let sum = sizes.reduce((a, b) => a + b, 0)
  while (sum > FIRST_ROWS_BYTES && texts.length > MIN_ROWS) {
    sum -= sizes.pop() ?? 0
    texts.pop()
  }
  const isWhole = texts.length === all.length
  if (sum <= FIRST_ROWS_BYTES) return { texts, isWhole }
  const whole = wholeColumns(features, all)
  for (let i = texts.length - 1; i >= 0 && sum > FIRST_ROWS_BYTES; i--) {
    const row = all[i]
    if (!row) continue
    const cut = rowText(cutRow(row, whole), features, media)
    sum += Buffer.byteLength(cut) - (sizes[i] ?? 0)
    texts[i] = cut
  }
  return { texts, isWhole }
}

function cutRow(row: IndexedRow, whole: ReadonlySet<number>): IndexedRow {
  const cut = new Set(row.cut)
  const cells = row.cells.map((cell, i) => {
    const text = plainText(cell)
    if (text === undefined || whole.has(i) || Buffer.byteLength(text) <= MIN_CELL_BYTES) return cell
    // What was cut before is a string that holds the beginning of the cell's JSON.
    const json = cut.has(i) ? (JSON.parse(text) as string) : text
    cut.add(i)
    return [cutCell(json, MIN_CELL_BYTES)]
  })
  return { ...row, cells, cut: [...cut].toSorted((a, b) => a - b) }
}
