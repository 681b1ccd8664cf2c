import { FormatError, hashBytes, hashText, type ShardTerm, type ShardVisitor } from '../format/index.ts'
import type { DescribedFile } from './messages.ts'
import { Terms } from './terms.ts'

/** A file as its shard describes it. */
export interface FileTerms {
  described: DescribedFile
  /** String forms of the xorbs its terms name, by the number the terms know them under. */
  xorbs: string[]
  terms: Terms
}

/** The chunks of a xorb as the shard lists them. */
export interface XorbChunks {
  hash: string
  hashes: Buffer
  lengths: number[]
}

/** Cutting leaves no chunk below 8 KiB but the last of a file; half of that, and some, is allowed (chunk-upload.md §6). */
const mostChunks = (sizeBytes: number, terms: number) => Math.ceil(sizeBytes / 4096) + 2 * terms + 8192

/**
 * Most xorbs of one file, whose names both sides hold before any is looked up. The largest file fills some 800; more are
 * those that its sender has uploaded other bytes of before.
 */
const MAX_XORBS = 100_000

/** Gathers the records of a shard into files and xorbs, to be taken whenever some are whole. */
export class Descriptions implements ShardVisitor {
  #files: FileTerms[] = []
  #xorbs: XorbChunks[] = []
  #file: (FileTerms & { chunks: number; numbers: Map<string, number> }) | undefined
  #xorb: (XorbChunks & { n: number }) | undefined
  #lastXorb = Buffer.alloc(0)
  #lastNumber = 0

  /** What has become whole since it was last asked. */
  take(): { files: FileTerms[]; xorbs: XorbChunks[] } {
    const taken = { files: this.#files, xorbs: this.#xorbs }
    this.#files = []
    this.#xorbs = []
    return taken
  }

  file({ hash, terms, termsOffset }: { hash: Buffer; terms: number; termsOffset: number }): void {
    const described = { fileHash: hashText(hash), sha256: undefined, sizeBytes: 0, termsOffset, terms }
    this.#file = { described, xorbs: [], terms: new Terms(terms), chunks: 0, numbers: new Map() }
    this.#lastXorb = Buffer.alloc(0)
  }

  term({ xorb, unpacked, start, end }: ShardTerm): void {
    const file = this.#file
    if (!file) return
    file.terms.add({ xorb: this.#numberOf(xorb), unpacked, start, end })
    file.described.sizeBytes += unpacked
    file.chunks += end - start
  }

  rangeHash(hash: Buffer, position: number): void {
    this.#file?.terms.setRangeHash(position, hash)
  }

  sha256(digest: Buffer): void {
    if (this.#file) this.#file.described.sha256 = digest.toString('hex')
  }

  fileEnd(): void {
    const file = this.#file
    if (!file) return
    const { fileHash, sizeBytes, terms } = file.described
    if (file.chunks > mostChunks(sizeBytes, terms))
      throw new FormatError(
        'shard-term',
        `file ${fileHash} of ${sizeBytes} bytes is cut into ${file.chunks} chunks`,
      )
    this.#files.push({ described: file.described, xorbs: file.xorbs, terms: file.terms })
    this.#file = undefined
  }

  xorb({ hash, n }: { hash: Buffer; n: number }): void {
    this.#xorb = { hash: hashText(hash), hashes: Buffer.allocUnsafe(n * hashBytes), lengths: [], n }
  }

  chunk({ hash, length }: { hash: Buffer; length: number }, position: number): void {
    const xorb = this.#xorb
    if (!xorb) return
    hash.copy(xorb.hashes, position * hashBytes)
    if (xorb.lengths.push(length) === xorb.n) this.#xorbs.push(xorb)
  }

  /** Terms of one xorb follow each other, so most need no look-up. */
  #numberOf(raw: Buffer): number {
    if (this.#lastXorb.equals(raw)) return this.#lastNumber
    const file = this.#file
    const hash = hashText(raw)
    const number = file?.numbers.get(hash) ?? file?.xorbs.length ?? 0
    if (file && number === file.xorbs.length) {
      if (number === MAX_XORBS)
        throw new FormatError(
          'shard-terms',
          `file ${file.described.fileHash} names more than ${MAX_XORBS} containers`,
        )
      file.xorbs.push(hash)
      file.numbers.set(hash, number)
    }
    this.#lastXorb = Buffer.from(raw)
    this.#lastNumber = number
    return number
  }
}
