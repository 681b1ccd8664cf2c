import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { cutCell, type RowText } from '../cells/cut.ts'

/** A row of JSON texts; long ones are cut. */
export function textRow(cells: string[], cellBytes: number): RowText {
  const cut: number[] = []
  const written = cells.map((cell, i) => {
    if (Buffer.byteLength(cell) <= cellBytes) return [cell]
    cut.push(i)
    return [cutCell(cell, cellBytes)]
  })
  return { cells: written, cut }
}

export const scalarFeature = (name: string, dtype: string): NamedFeature => ({
  name,
  type: { _type: 'Value', dtype },
})

/** Text of a file's beginning, without the mark of its encoding and without a last line that may be cut. */
export function wholeLines(bytes: Uint8Array, isWhole: boolean): string {
  const at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const end = isWhole ? bytes.length : bytes.lastIndexOf(0x0a) + 1
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.max(0, end - at)).toString('utf8')
}
