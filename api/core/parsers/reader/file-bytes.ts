import { FormatFault } from '../problem.ts'

/**
 * The bytes of a file where parsers run: in a thread of their own, which waits for each range. So parsers are plain
 * functions, and a deadline or a cancel ends the thread.
 */
export interface FileBytes {
  readonly sizeBytes: number
  /** The bytes of a range, which the caller may keep; fewer only at the end of the file. */
  read(offset: number, length: number): Uint8Array
}

/** The bytes of a file that are in memory. */
export function inMemory(bytes: Uint8Array): FileBytes {
  return {
    sizeBytes: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + Math.max(0, length)),
  }
}

/** A part of other bytes, which begins at `offset`. */
export function part(of: FileBytes, offset: number, sizeBytes = of.sizeBytes - offset): FileBytes {
  const size = Math.max(0, Math.min(sizeBytes, of.sizeBytes - offset))
  return {
    sizeBytes: size,
    read: (at, length) => of.read(offset + at, Math.max(0, Math.min(length, size - at))),
  }
}

/** More than its budget of bytes was asked of a file. */
export class OverBudget extends FormatFault {
  constructor(maxBytes: number) {
    super('read_budget', `The file needs more than ${maxBytes} bytes to be read.`)
  }
}

/** Counts what is read. Reading throws `OverBudget` beyond `maxBytes`. */
export class MeteredBytes implements FileBytes {
  readonly sizeBytes: number
  readonly #of: FileBytes
  readonly #maxBytes: number
  readBytes = 0

  constructor(of: FileBytes, maxBytes: number) {
    this.#of = of
    this.#maxBytes = maxBytes
    this.sizeBytes = of.sizeBytes
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = this.#of.read(offset, length)
    this.readBytes += bytes.length
    if (this.readBytes > this.#maxBytes) throw new OverBudget(this.#maxBytes)
    return bytes
  }
}
