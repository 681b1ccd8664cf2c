import { FormatFault } from '../problem.ts'
import type { FileBytes } from './file-bytes.ts'

const FIRST_BLOCK = 16 * 1024
const LARGEST_BLOCK = 1024 * 1024

/** Asked for bytes beyond the end of a file. */
export class EndOfFile extends FormatFault {
  constructor() {
    super('truncated', 'The file ends before what it announces.')
  }
}

/** Reads a file from one place on. Blocks grow while reading goes straight on, and are small after a leap. */
export class Cursor {
  readonly #file: FileBytes
  #block: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(new ArrayBuffer(0))
  #blockAt = 0
  #blockSize = FIRST_BLOCK
  #at: number

  constructor(file: FileBytes, at = 0) {
    this.#file = file
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  get leftBytes(): number {
    return this.#file.sizeBytes - this.#at
  }

  /** Goes to a place, which may lie beyond the end. */
  seek(at: number): void {
    this.#at = at
  }

  skip(length: number): void {
    this.#at += length
  }

  /** The next byte, or -1 at the end. */
  byte(): number {
    const inBlock = this.#at - this.#blockAt
    if (inBlock >= 0 && inBlock < this.#block.length) {
      this.#at++
      return this.#block[inBlock] as number
    }
    if (this.leftBytes <= 0 || !this.#load(1)) return -1
    return this.#block[this.#at++ - this.#blockAt] as number
  }

  /** The next bytes, all of them; throws `EndOfFile`. They are the caller's only until it reads on. */
  take(length: number): Uint8Array {
    const from = this.#need(length)
    this.#at += length
    return this.#block.subarray(from, from + length)
  }

  u8 = (): number => this.#number(1, (view, at) => view.getUint8(at))
  u16 = (isLittle = true): number => this.#number(2, (view, at) => view.getUint16(at, isLittle))
  u32 = (isLittle = true): number => this.#number(4, (view, at) => view.getUint32(at, isLittle))
  u64 = (isLittle = true): bigint => this.#number(8, (view, at) => view.getBigUint64(at, isLittle))

  /** A number of `size` bytes by its own reading. */
  number<T>(size: number, get: (view: DataView, at: number) => T): T {
    return this.#number(size, get)
  }

  #number<T>(size: number, get: (view: DataView, at: number) => T): T {
    const from = this.#need(size)
    this.#at += size
    return get(this.#view, from)
  }

  /** Where in the block the next `length` bytes lie. */
  #need(length: number): number {
    const from = this.#at - this.#blockAt
    if (from >= 0 && from + length <= this.#block.length) return from
    if (length > this.leftBytes || !this.#load(length)) throw new EndOfFile()
    return this.#at - this.#blockAt
  }

  #load(length: number): boolean {
    const isNext = this.#at >= this.#blockAt && this.#at <= this.#blockAt + this.#block.length
    this.#blockSize = isNext ? Math.min(LARGEST_BLOCK, this.#blockSize * 2) : FIRST_BLOCK
    this.#block = this.#file.read(this.#at, Math.min(Math.max(length, this.#blockSize), this.leftBytes))
    this.#blockAt = this.#at
    this.#view = new DataView(this.#block.buffer, this.#block.byteOffset, this.#block.byteLength)
    return this.#block.length >= length
  }
}
