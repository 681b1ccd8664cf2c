/** Rows that one scroll bar moves through: browsers cap the height of an element near 17 million pixels. */
export const segmentRows = 100_000

/** The part of the rows that is laid out. */
export interface Segment {
  number: number
  /** Index of its first row. */
  from: number
  rows: number
  hasBefore: boolean
  hasAfter: boolean
}

/** The segment that holds a row. */
export function segmentAt(index: number, total: number): Segment {
  const last = Math.max(0, Math.ceil(total / segmentRows) - 1)
  const number = Math.min(Math.max(0, Math.floor(index / segmentRows)), last)
  const from = number * segmentRows
  return {
    number,
    from,
    rows: Math.max(0, Math.min(segmentRows, total - from)),
    hasBefore: number > 0,
    hasAfter: number < last,
  }
}
