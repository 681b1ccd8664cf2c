import { hashBytes } from '../format/index.ts'

/** A run of chunks: `xorb` is a number that stands for its hash. */
export interface Term {
  xorb: number
  /** Bytes that the sender says it has. */
  unpacked: number
  start: number
  /** Exclusive. */
  end: number
}

const FIELDS = 4

/** The terms of one file with their range hashes, 48 bytes each, for there may be a million. */
export class Terms {
  readonly length: number
  readonly #fields: Uint32Array
  readonly #rangeHashes: Buffer
  #added = 0

  constructor(length: number) {
    this.length = length
    this.#fields = new Uint32Array(length * FIELDS)
    this.#rangeHashes = Buffer.alloc(length * hashBytes)
  }

  add({ xorb, unpacked, start, end }: Term): void {
    this.#fields.set([xorb, unpacked, start, end], this.#added++ * FIELDS)
  }

  setRangeHash(i: number, hash: Buffer): void {
    hash.copy(this.#rangeHashes, i * hashBytes)
  }

  at(i: number): Term {
    const [xorb = 0, unpacked = 0, start = 0, end = 0] = this.#fields.subarray(i * FIELDS, (i + 1) * FIELDS)
    return { xorb, unpacked, start, end }
  }

  rangeHashAt(i: number): Buffer {
    return this.#rangeHashes.subarray(i * hashBytes, (i + 1) * hashBytes)
  }
}
