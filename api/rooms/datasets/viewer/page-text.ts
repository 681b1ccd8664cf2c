import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Piece } from './cells/out.ts'
import type { IndexedRow } from './split-rows.ts'

/** JSON of a media cell, whose address is made for the caller. */
export type MediaText = (piece: Exclude<Piece, string>, row: number) => string

/** `features` of an answer with rows. */
export const featuresText = (features: readonly NamedFeature[]): string =>
  JSON.stringify(features.map(({ name, type }, feature_idx) => ({ feature_idx, name, type })))

/** One row of an answer. */
export function rowText(
  { index, cells, cut }: IndexedRow,
  features: readonly NamedFeature[],
  media: MediaText,
): string {
  const members = features.map(({ name }, i) => {
    const cell = (cells[i] ?? ['null']).map((piece) =>
      typeof piece === 'string' ? piece : media(piece, index),
    )
    return `${JSON.stringify(name)}:${cell.join('')}`
  })
  const truncated = cut.map((i) => features[i]?.name)
  return `{"row_idx":${index},"row":{${members.join(',')}},"truncated_cells":${JSON.stringify(truncated)}}`
}

/** The rest of an answer with a page of rows. */
export interface PageFacts {
  total: number
  partial: boolean
  scan?: { rows: number; complete: boolean }
}

/** A page of rows as JSON; integers beyond 2^53 keep their digits, so it is never a tree of ours. */
export function pageText(
  features: readonly NamedFeature[],
  rows: readonly IndexedRow[],
  media: MediaText,
  { total, partial, scan }: PageFacts,
): string {
  const facts = JSON.stringify({
    num_rows_total: total,
    num_rows_per_page: 100,
    partial,
    ...(scan ? { scan } : {}),
  })
  const texts = rows.map((row) => rowText(row, features, media))
  return `{"features":${featuresText(features)},"rows":[${texts.join(',')}],${facts.slice(1)}`
}
