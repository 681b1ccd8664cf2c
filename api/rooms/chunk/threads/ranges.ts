import { copyBytes } from '../../../platform/direct-io/index.ts'
import {
  ChunkDecoder,
  chunkHeaderBytes,
  FormatError,
  maxChunkBytes,
  type XorbIndex,
} from '../format/index.ts'
import { askedBytes, type Ask } from './asked-bytes.ts'

/** Neighbouring chunks of one xorb, named in string form. */
export interface Run {
  xorb: string
  start: number
  /** Exclusive. */
  end: number
}

/** Where decoded chunks go. */
export interface Sink {
  /** Room for the next chunk, which is filled before the next call. */
  room(lengthBytes: number): Promise<Uint8Array>
  /** The chunk of this number is there. */
  filled(chunk: number, bytes: Uint8Array): void
}

/** Reads runs of chunks out of stored xorbs, one run at a time. */
export class RangeDecoder {
  readonly #ask: Ask
  readonly #decoder = new ChunkDecoder()
  /** What there is of a chunk that lies in two pieces. */
  readonly #carry = new Uint8Array(chunkHeaderBytes + maxChunkBytes)
  #carried = 0

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Decodes a run into a sink. Throws FormatError when the stored bytes do not fit their index. */
  async decode({ xorb, start, end }: Run, index: XorbIndex, sink: Sink): Promise<void> {
    const offset = startOf(index, start)
    await this.#ask('open', { hash: xorb, offset, length: startOf(index, end) - offset })
    this.#carried = 0
    let chunk = start
    for await (const piece of askedBytes(this.#ask, 'body'))
      chunk = await this.#decodePiece(piece, index, chunk, sink)
    if (chunk < end) throw new FormatError('xorb-truncated', `the stored container ${xorb} ends too early`)
  }

  /** Answers the chunk that comes next. */
  async #decodePiece(piece: Uint8Array, index: XorbIndex, from: number, sink: Sink): Promise<number> {
    let chunk = from
    for (let at = 0; at < piece.length;) {
      const missing = startOf(index, chunk + 1) - startOf(index, chunk) - this.#carried
      const part = piece.subarray(at, at + missing)
      at += part.length
      const serialized = this.#joined(part, missing)
      if (!serialized) break
      const lengthBytes = index.lengths[chunk] ?? 0
      const bytes = await sink.room(lengthBytes)
      this.#decoder.decode(serialized, lengthBytes, bytes)
      sink.filled(chunk, bytes)
      chunk++
    }
    return chunk
  }

  /** The whole chunk that ends with `part`, or nothing while bytes of it are still to come. */
  #joined(part: Uint8Array, missing: number): Uint8Array | undefined {
    if (this.#carried === 0 && part.length === missing) return part
    copyBytes(this.#carry, this.#carried, part)
    this.#carried += part.length
    if (part.length < missing) return undefined
    const whole = this.#carry.subarray(0, this.#carried)
    this.#carried = 0
    return whole
  }
}

const startOf = (index: XorbIndex, chunk: number): number => (chunk === 0 ? 0 : (index.ends[chunk - 1] ?? 0))
