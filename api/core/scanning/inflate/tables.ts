import { FormatFault } from '../../parsers/index.ts'

/** The codes of a block: an entry for each row of bits says the symbol and how many of the bits are its code. */
export class HuffmanTable {
  readonly maxBits: number
  readonly mask: number
  readonly entries: Uint16Array

  /** `lengths` are the bits of the code of each symbol, 0 for none. */
  constructor(lengths: Uint8Array) {
    const counts = new Uint16Array(16)
    for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
    counts[0] = 0
    this.maxBits = Math.max(
      1,
      counts.findLastIndex((count) => count > 0),
    )
    this.mask = (1 << this.maxBits) - 1
    this.entries = new Uint16Array(1 << this.maxBits)
    const next = new Uint16Array(17)
    for (let bits = 1; bits <= 15; bits++) {
      next[bits + 1] = ((next[bits] as number) + (counts[bits] as number)) << 1
      if ((next[bits] as number) + (counts[bits] as number) > 1 << bits)
        throw new FormatFault('inflate', 'A table of codes has too many of them.')
    }
    for (const [symbol, length] of lengths.entries()) {
      if (length === 0) continue
      const code = reversed((next[length] as number)++, length)
      for (let at = code; at <= this.mask; at += 1 << length) this.entries[at] = (symbol << 4) | length
    }
  }
}

function reversed(code: number, length: number): number {
  let result = 0
  for (let i = 0; i < length; i++) result |= ((code >> i) & 1) << (length - 1 - i)
  return result
}

export const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
export const lengthBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
export const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]
export const distanceBits = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]
export const distanceBase = distanceBits.map(
  (_, i) => 1 + distanceBits.slice(0, i).reduce((sum, bits) => sum + 2 ** bits, 0),
)

export const fixedLiterals = new HuffmanTable(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
)
export const fixedDistances = new HuffmanTable(new Uint8Array(30).fill(5))
