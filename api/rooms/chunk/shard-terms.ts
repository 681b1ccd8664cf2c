import type { Ctx } from '../../core/ctx.ts'
import { collect } from '../../stores/storage/index.ts'

/** Of 1300 terms: a folder's files have few each, one after the other. */
const AHEAD_BYTES = 64 * 1024

/** Reads the terms of the files of a shard. What is read ahead serves the files that come next. */
export class ShardTerms {
  readonly #blobs: Ctx['blobs']
  readonly #key: string
  readonly #signal: AbortSignal
  #from = 0
  #to = 0
  #bytes: Promise<Buffer> = Promise.resolve(Buffer.alloc(0))

  constructor({ blobs }: Pick<Ctx, 'blobs'>, key: string, signal: AbortSignal) {
    this.#blobs = blobs
    this.#key = key
    this.#signal = signal
  }

  /** The bytes of this range, or those of them that the shard has. Throws the store's errors. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset < this.#from || offset + length > this.#to) this.#turnTo(offset, length)
    const from = this.#from
    const bytes = await this.#bytes
    return bytes.subarray(offset - from, offset - from + length)
  }

  #turnTo(offset: number, length: number): void {
    const range = { offset, length: Math.max(length, AHEAD_BYTES) }
    this.#from = offset
    this.#to = offset + range.length
    this.#bytes = this.#blobs
      .read(this.#key, range, this.#signal)
      .then((source) => collect(source, range.length))
    // The next caller reads again.
    this.#bytes.catch(() => (this.#to = this.#from))
  }
}
