import type { Readable } from 'node:stream'

/** Bytes of one answer. */
export interface ObjectBody {
  /** `undefined` at the end. Rejects when the connection breaks, or with what `destroy` was given. */
  next(): Promise<Uint8Array | undefined>
  giveBack?(chunk: Uint8Array): void
  destroy(error?: Error): void
}

/** A body as Node streams it, in chunks of 64 KiB at most. */
export class StreamBody implements ObjectBody {
  readonly #stream: Readable
  readonly #chunks: AsyncIterator<Uint8Array>

  constructor(stream: Readable) {
    this.#stream = stream
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async next(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#chunks.next()
    return done ? undefined : value
  }

  destroy(error?: Error): void {
    this.#stream.destroy(error)
  }
}
