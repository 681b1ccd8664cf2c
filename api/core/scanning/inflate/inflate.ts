import { Cursor, FormatFault, type FileBytes } from '../../parsers/index.ts'
import {
  codeLengthOrder,
  distanceBase,
  distanceBits,
  fixedDistances,
  fixedLiterals,
  HuffmanTable,
  lengthBase,
  lengthBits,
} from './tables.ts'

const HISTORY = 32 * 1024
const CHUNK = 64 * 1024

/** Compressed data that is damaged. */
const damaged = (message: string) => new FormatFault('inflate', message)

/**
 * Inflates a raw deflate stream (RFC 1951) piece by piece. node:zlib inflates piece by piece only asynchronously, and parsers
 * are plain functions; memory stays at 96 KiB whatever the stream makes.
 */
export class Inflate {
  readonly #in: Cursor
  #bits = 0
  #bitCount = 0
  /** History, then what is being made. */
  readonly #out = new Uint8Array(HISTORY + CHUNK)
  #history = 0
  #at = 0
  #state: 'block' | 'stored' | 'codes' | 'done' = 'block'
  #isLast = false
  #storedLeft = 0
  #copyLeft = 0
  #copyDistance = 0
  #literals = fixedLiterals
  #distances = fixedDistances
  #made = 0

  constructor(file: FileBytes, at: number) {
    this.#in = new Cursor(file, at)
  }

  /** The next piece, which is the caller's; nothing at the end of the stream. Throws `FormatFault`. */
  next(): Uint8Array | undefined {
    if (this.#at > HISTORY) {
      this.#out.copyWithin(0, this.#at - HISTORY, this.#at)
      this.#at = HISTORY
    }
    this.#history = this.#at
    const end = this.#at + CHUNK
    while (this.#at < end && this.#state !== 'done') {
      if (this.#state === 'block') this.#beginBlock()
      else if (this.#state === 'stored') this.#copyStored(end)
      else this.#decode(end)
    }
    this.#made += this.#at - this.#history
    return this.#at === this.#history ? undefined : this.#out.slice(this.#history, this.#at)
  }

  /** Where the stream ended in its file. */
  get endAt(): number {
    return this.#in.at - (this.#bitCount >> 3)
  }

  #need(count: number): void {
    while (this.#bitCount < count) {
      const byte = this.#in.byte()
      if (byte === -1) throw damaged('The compressed data ends too early.')
      this.#bits |= byte << this.#bitCount
      this.#bitCount += 8
    }
  }

  #take(count: number): number {
    if (count === 0) return 0
    this.#need(count)
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#bitCount -= count
    return value
  }

  #symbol(table: HuffmanTable): number {
    // At the end of the stream fewer bits are left than the longest code has.
    while (this.#bitCount < table.maxBits) {
      const byte = this.#in.byte()
      if (byte === -1) break
      this.#bits |= byte << this.#bitCount
      this.#bitCount += 8
    }
    const entry = table.entries[this.#bits & table.mask] as number
    const length = entry & 15
    if (length === 0 || length > this.#bitCount) throw damaged('The compressed data has an unknown code.')
    this.#bits >>>= length
    this.#bitCount -= length
    return entry >> 4
  }

  #beginBlock(): void {
    if (this.#isLast) {
      this.#state = 'done'
      return
    }
    this.#isLast = this.#take(1) === 1
    const type = this.#take(2)
    if (type === 3) throw damaged('The compressed data has a block of an unknown type.')
    if (type === 0) {
      this.#take(this.#bitCount & 7)
      const length = this.#take(16)
      if ((this.#take(16) ^ length) !== 0xffff) throw damaged('A stored block has a wrong length.')
      this.#storedLeft = length
      this.#state = 'stored'
      return
    }
    if (type === 1) [this.#literals, this.#distances] = [fixedLiterals, fixedDistances]
    else this.#readTables()
    this.#state = 'codes'
  }

  #readTables(): void {
    const literals = this.#take(5) + 257
    const distances = this.#take(5) + 1
    const codes = this.#take(4) + 4
    const lengths = new Uint8Array(19)
    for (let i = 0; i < codes; i++) lengths[codeLengthOrder[i] as number] = this.#take(3)
    const table = new HuffmanTable(lengths)
    const all = new Uint8Array(literals + distances)
    for (let i = 0; i < all.length;) {
      const symbol = this.#symbol(table)
      if (symbol < 16) {
        all[i++] = symbol
        continue
      }
      const [value, count] =
        symbol === 16
          ? [all[i - 1], 3 + this.#take(2)]
          : symbol === 17
            ? [0, 3 + this.#take(3)]
            : [0, 11 + this.#take(7)]
      if (value === undefined || i + count > all.length) throw damaged('A table of codes is too long.')
      all.fill(value, i, i + count)
      i += count
    }
    this.#literals = new HuffmanTable(all.subarray(0, literals))
    this.#distances = new HuffmanTable(all.subarray(literals))
  }

  #copyStored(end: number): void {
    const count = Math.min(end - this.#at, this.#storedLeft)
    for (let i = 0; i < count; i++) this.#out[this.#at++] = this.#take(8)
    this.#storedLeft -= count
    if (this.#storedLeft === 0) this.#state = 'block'
  }

  #decode(end: number): void {
    const out = this.#out
    while (this.#at < end) {
      if (this.#copyLeft > 0) {
        const count = Math.min(end - this.#at, this.#copyLeft)
        for (let i = 0; i < count; i++, this.#at++)
          out[this.#at] = out[this.#at - this.#copyDistance] as number
        this.#copyLeft -= count
        continue
      }
      const symbol = this.#symbol(this.#literals)
      if (symbol < 256) out[this.#at++] = symbol
      else if (symbol === 256) {
        this.#state = 'block'
        return
      } else this.#match(symbol - 257)
    }
  }

  #match(symbol: number): void {
    const length = lengthBase[symbol]
    if (length === undefined) throw damaged('The compressed data has an unknown length.')
    this.#copyLeft = length + this.#take(lengthBits[symbol] as number)
    const far = this.#symbol(this.#distances)
    const distance = distanceBase[far]
    if (distance === undefined) throw damaged('The compressed data has an unknown distance.')
    this.#copyDistance = distance + this.#take(distanceBits[far] as number)
    const made = this.#made + this.#at - this.#history
    if (this.#copyDistance > made) throw damaged('The compressed data points before its beginning.')
  }
}
