import {
  ChunkDecoder,
  chunkHeaderBytes,
  FormatError,
  maxChunkBytes,
  type XorbIndex,
} from '../format/index.ts'
import { Pieces, type Ask } from './pieces.ts'

/** Reads runs of chunks out of stored xorbs. */
export class RangeDecoder {
  readonly #ask: Ask
  readonly #pieces: Pieces
  readonly #carry = new Uint8Array(chunkHeaderBytes + maxChunkBytes)
  readonly #decoder = new ChunkDecoder()

  constructor(ask: Ask) {
    this.#ask = ask
    this.#pieces = new Pieces(ask, 'body')
  }

  /** Decodes the chunks `start` up to `end` of a xorb into what `room` gives for their length, one after the other. */
  async decode(
    hash: string,
    index: XorbIndex,
    { start, end }: { start: number; end: number },
    room: (lengthBytes: number, chunk: number) => Uint8Array | Promise<Uint8Array>,
  ): Promise<void> {
    const startOf = (chunk: number) => (chunk === 0 ? 0 : (index.ends[chunk - 1] ?? 0))
    const offset = startOf(start)
    await this.#ask('open', { hash, offset, length: startOf(end) - offset })
    let chunk = start
    let carried = 0
    const finish = async (serialized: Uint8Array) => {
      const lengthBytes = index.lengths[chunk] ?? 0
      this.#decoder.decode(serialized, lengthBytes, await room(lengthBytes, chunk))
      chunk++
      carried = 0
    }
    for await (const piece of this.#pieces.read()) {
      for (let at = 0; at < piece.length && chunk < end;) {
        const needed = startOf(chunk + 1) - startOf(chunk) - carried
        const taken = Math.min(needed, piece.length - at)
        const part = piece.subarray(at, at + taken)
        at += taken
        if (carried === 0 && taken === needed) {
          await finish(part)
          continue
        }
        this.#carry.set(part, carried)
        carried += taken
        if (taken === needed) await finish(this.#carry.subarray(0, carried))
      }
    }
    if (chunk < end) throw new FormatError('xorb-truncated', `the stored container ${hash} ends too early`)
  }
}
