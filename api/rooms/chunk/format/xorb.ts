import { copyBytes } from '../../../platform/direct-io/index.ts'
import {
  ChunkDecoder,
  chunkHeader,
  chunkHeaderBytes,
  maxChunkBytes,
  schemes,
  type ChunkHeader,
} from './chunk.ts'
import { FormatError } from './format-error.ts'
import { hashText } from './hash.ts'
import { hashBytes, KeyedHash } from './keyed-hash.ts'
import { checkFooter, footerBytes, isFooter } from './xorb-footer.ts'
import { indexOf, maxChunks, type XorbIndex } from './xorb-index.ts'

/**
 * Verifies a xorb while its bytes come in, in pieces of any size (chunk-upload.md §7, §9): each header, each chunk decoded
 * within its declared length and hashed, a footer tolerated and dropped.
 *
 * Pieces may be views of shared memory and are read before `push` returns. It holds one packed and one plain chunk (128 KiB
 * each, a second plain one for grouped chunks) and the lists of its index (320 KiB); after an error it is of no more use.
 */
export class XorbReader {
  readonly #decoder = new ChunkDecoder()
  readonly #hash = new KeyedHash('chunk')
  readonly #hashes = Buffer.allocUnsafe(maxChunks * hashBytes)
  readonly #ends = new Uint32Array(maxChunks)
  readonly #lengths = new Uint32Array(maxChunks)
  readonly #headerBytes = Buffer.alloc(chunkHeaderBytes)
  #n = 0
  #packed: Uint8Array | undefined
  #plain: Uint8Array | undefined
  #footer: Buffer | undefined
  /** Header of the chunk whose payload is being read. */
  #chunk: ChunkHeader | undefined
  /** Bytes there already of the header, payload or footer being read. */
  #have = 0

  /** The next bytes of the body. Throws {@link FormatError} as soon as they cannot be those of a xorb. */
  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#footer) at += this.#takeFooter(this.#footer, bytes.subarray(at))
      else if (this.#chunk) at += this.#takePayload(this.#chunk, bytes, at)
      else at += this.#takeHeader(bytes, at)
    }
  }

  /**
   * The end of the body: what it holds. Throws {@link FormatError} `xorb-truncated` or `xorb-empty`, and `tree-hash` when
   * its hash is not `claimed`, the raw one it was sent under.
   */
  finish(claimed?: Uint8Array): XorbIndex {
    const isWhole = this.#footer ? this.#have === this.#footer.length : !this.#chunk && this.#have === 0
    if (!isWhole) throw new FormatError('xorb-truncated', `the xorb is cut off after ${this.#n} chunks`)
    if (this.#n === 0) throw new FormatError('xorb-empty', 'the xorb has no chunk')
    if (this.#footer) checkFooter(this.#footer, this.#n)
    const n = this.#n
    const hashes = Buffer.from(this.#hashes.subarray(0, n * hashBytes))
    const index = indexOf(hashes, this.#ends.slice(0, n), this.#lengths.slice(0, n))
    if (claimed && !index.hash.equals(claimed))
      throw new FormatError('tree-hash', `the xorb sent as ${hashText(claimed)} is ${hashText(index.hash)}`)
    return index
  }

  #takeHeader(bytes: Uint8Array, at: number): number {
    if (this.#have === 0 && bytes.length - at >= chunkHeaderBytes) {
      this.#begin(bytes, at)
      return chunkHeaderBytes
    }
    const taken = Math.min(chunkHeaderBytes - this.#have, bytes.length - at)
    this.#headerBytes.set(bytes.subarray(at, at + taken), this.#have)
    this.#have += taken
    if (this.#have === chunkHeaderBytes) this.#begin(this.#headerBytes, 0)
    return taken
  }

  /** Begins what the eight bytes at `at` announce: a chunk, or the footer. */
  #begin(bytes: Uint8Array, at: number): void {
    this.#have = 0
    if (isFooter(bytes, at)) {
      const footer = Buffer.alloc(footerBytes(bytes[at + chunkHeaderBytes - 1]!, this.#n))
      footer.set(bytes.subarray(at, at + chunkHeaderBytes))
      this.#footer = footer
      this.#have = chunkHeaderBytes
      return
    }
    const chunk = chunkHeader(bytes, at)
    if (this.#n === maxChunks)
      throw new FormatError('chunk-count', `a xorb of more than ${maxChunks} chunks; send several`)
    this.#chunk = chunk
  }

  #takePayload(chunk: ChunkHeader, bytes: Uint8Array, at: number): number {
    const taken = Math.min(chunk.packed - this.#have, bytes.length - at)
    const piece = bytes.subarray(at, at + taken)
    if (chunk.scheme === schemes.none) this.#hash.add(piece)
    else {
      this.#packed ??= new Uint8Array(maxChunkBytes)
      copyBytes(this.#packed, this.#have, piece)
      if (this.#have + taken === chunk.packed) this.#unpack(chunk, this.#packed.subarray(0, chunk.packed))
    }
    this.#have += taken
    if (this.#have === chunk.packed) this.#endChunk(chunk)
    return taken
  }

  #unpack(chunk: ChunkHeader, payload: Uint8Array): void {
    this.#plain ??= new Uint8Array(maxChunkBytes)
    const plain = this.#plain.subarray(0, chunk.length)
    this.#decoder.unpack(chunk.scheme, payload, plain)
    this.#hash.add(plain)
  }

  #endChunk(chunk: ChunkHeader): void {
    const start = this.#n === 0 ? 0 : this.#ends[this.#n - 1]!
    this.#hash.digestInto(this.#hashes, this.#n * hashBytes)
    this.#ends[this.#n] = start + chunkHeaderBytes + chunk.packed
    this.#lengths[this.#n] = chunk.length
    this.#n++
    this.#chunk = undefined
    this.#have = 0
  }

  #takeFooter(footer: Buffer, bytes: Uint8Array): number {
    if (bytes.length > footer.length - this.#have)
      throw new FormatError('xorb-trailing', 'bytes follow the footer of the xorb')
    footer.set(bytes, this.#have)
    this.#have += bytes.length
    return bytes.length
  }
}
