import { maxChunkBytes } from './chunk.ts'
import { FormatError } from './format-error.ts'
import { swapGroups } from './hash.ts'
import { checkHeader, fileFlags, hashAt, isEndMarker, recordBytes, termAt } from './shard-records.ts'
import type { ShardTerm, ShardVisitor } from './shard-visitor.ts'
import { maxChunks } from './xorb-index.ts'

/** Most terms of one file. */
const maxTerms = 1_000_000

type State = 'header' | 'file' | 'term' | 'rangeHash' | 'sha256' | 'xorb' | 'chunk' | 'after'

/**
 * Reads a shard, the manifest of an upload, while its bytes come in, in pieces of any size (chunk-upload.md §8).
 *
 * The tables and footer that older clients and JavaScript send after the second end marker are stepped over.
 * Nothing is kept but half a record; numbers are checked against the bytes that are left before the visitor hears of them.
 */
export class ShardReader {
  readonly #totalBytes: number
  readonly #visitor: ShardVisitor
  readonly #partial = Buffer.alloc(recordBytes)
  #partialBytes = 0
  /** Bytes taken in so far, records that are not whole yet included. */
  #taken = 0
  /** Bytes of whole records. */
  #read = 0
  #state: State = 'header'
  /** Records of the current kind that the file or xorb has, and how many of them came. */
  #count = 0
  #position = 0
  #hasSha256 = false
  /** Plain bytes that the current xorb claims, and that its chunks so far have. */
  #unpacked = 0
  #end = 0

  /** `totalBytes` is the size of the whole body, which bounds every number in it. */
  constructor(totalBytes: number, visitor: ShardVisitor) {
    this.#totalBytes = totalBytes
    this.#visitor = visitor
  }

  /** The next bytes of the body. Throws {@link FormatError} as soon as they break the format. */
  push(bytes: Uint8Array): void {
    this.#taken += bytes.length
    if (this.#taken > this.#totalBytes)
      throw new FormatError(
        'shard-size',
        `the shard is larger than the ${this.#totalBytes} bytes that were announced`,
      )
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    if (this.#partialBytes > 0) {
      at = piece.copy(this.#partial, this.#partialBytes)
      this.#partialBytes += at
      if (this.#partialBytes < recordBytes) return
      this.#record(this.#partial, 0)
    }
    for (; at + recordBytes <= piece.length && this.#state !== 'after'; at += recordBytes)
      this.#record(piece, at)
    this.#partialBytes = this.#state === 'after' ? 0 : piece.copy(this.#partial, 0, at)
  }

  /** The end of the body. Throws {@link FormatError} `shard-truncated` when a part of it is missing. */
  finish(): void {
    if (this.#state !== 'after' || this.#taken < this.#totalBytes)
      throw new FormatError('shard-truncated', `the shard is cut off after ${this.#taken} bytes`)
  }

  #record(bytes: Buffer, at: number): void {
    this.#read += recordBytes
    switch (this.#state) {
      case 'header':
        checkHeader(bytes, at, this.#totalBytes)
        return this.#enter('file', 0)
      case 'file':
        return isEndMarker(bytes, at) ? this.#enter('xorb', 0) : this.#file(bytes, at)
      case 'term':
        return this.#term(termAt(bytes, at))
      case 'rangeHash':
        this.#visitor.rangeHash?.(hashAt(bytes, at), this.#position)
        return this.#advance()
      case 'sha256':
        this.#visitor.sha256?.(swapGroups(hashAt(bytes, at)))
        return this.#endFile()
      case 'xorb':
        return isEndMarker(bytes, at) ? this.#enter('after', 0) : this.#xorb(bytes, at)
      case 'chunk':
        return this.#chunk(bytes, at)
    }
  }

  #enter(state: State, count: number): void {
    this.#state = state
    this.#count = count
    this.#position = 0
  }

  /** One record of the current kind is done; after the last, what follows its kind. */
  #advance(): void {
    this.#position++
    if (this.#position < this.#count) return
    if (this.#state === 'term') this.#enter('rangeHash', this.#count)
    else if (this.#state === 'chunk') this.#enter('xorb', 0)
    else if (this.#hasSha256) this.#enter('sha256', 1)
    else this.#endFile()
  }

  #endFile(): void {
    this.#enter('file', 0)
    this.#visitor.fileEnd?.()
  }

  #file(bytes: Buffer, at: number): void {
    const flags = bytes.readUInt32LE(at + 32)
    const terms = bytes.readUInt32LE(at + 36)
    if ((flags & fileFlags.rangeHashes) === 0)
      throw new FormatError(
        'shard-verification',
        'verification entries required: bit 31 of a file is not set',
      )
    if ((flags & ~(fileFlags.rangeHashes | fileFlags.sha256)) !== 0)
      throw new FormatError('shard-flags', `a file has unknown flags: ${flags.toString(16)}`)
    if (terms > maxTerms)
      throw new FormatError('shard-terms', `a file of ${terms} terms; ${maxTerms} are allowed`)
    this.#hasSha256 = (flags & fileFlags.sha256) !== 0
    this.#demand(2 * terms + (this.#hasSha256 ? 1 : 0), 'shard-terms')
    this.#visitor.file?.({
      hash: hashAt(bytes, at),
      terms,
      termsOffset: this.#read,
      hasSha256: this.#hasSha256,
    })
    if (terms > 0) this.#enter('term', terms)
    else if (this.#hasSha256) this.#enter('sha256', 1)
    else this.#endFile()
  }

  #term(term: ShardTerm): void {
    this.#visitor.term?.(term, this.#position)
    this.#advance()
  }

  #xorb(bytes: Buffer, at: number): void {
    const n = bytes.readUInt32LE(at + 36)
    if (n === 0 || n > maxChunks)
      throw new FormatError('shard-xorb', `a xorb of ${n} chunks; 1 to ${maxChunks} are allowed`)
    this.#demand(n, 'shard-xorb')
    this.#unpacked = bytes.readUInt32LE(at + 40)
    this.#end = 0
    this.#visitor.xorb?.({ hash: hashAt(bytes, at), n, unpacked: this.#unpacked })
    this.#enter('chunk', n)
  }

  #chunk(bytes: Buffer, at: number): void {
    const start = bytes.readUInt32LE(at + 32)
    const length = bytes.readUInt32LE(at + 36)
    const isLast = this.#position === this.#count - 1
    const end = start + length
    if (start !== this.#end || length === 0 || length > maxChunkBytes || (isLast && end !== this.#unpacked))
      throw new FormatError(
        'shard-chunk',
        `a chunk of ${length} bytes at ${start} does not fit into its xorb`,
      )
    this.#end = end
    this.#visitor.chunk?.({ hash: hashAt(bytes, at), start, length }, this.#position)
    this.#advance()
  }

  /** Refuses records that the bytes left cannot hold, whatever their number says. */
  #demand(records: number, check: 'shard-terms' | 'shard-xorb'): void {
    const left = this.#totalBytes - this.#read
    if (records * recordBytes > left)
      throw new FormatError(
        check,
        `${records} records are announced, and ${left} bytes of the shard are left`,
      )
  }
}
