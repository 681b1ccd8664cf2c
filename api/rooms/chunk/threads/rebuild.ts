import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { copyBytes, SLAB_BYTES } from '../../../platform/direct-io/index.ts'
import {
  chunkHash,
  fileHashOf,
  FormatError,
  hashBytes,
  hashText,
  HashTree,
  maxChunkBytes,
  recordBytes,
  termAt,
  type XorbIndex,
} from '../format/index.ts'
import type { RebuildInput } from './messages.ts'
import { Indexes } from './indexes.ts'
import type { Ask } from './asked-bytes.ts'
import { RangeDecoder, type Run } from './ranges.ts'

/** Terms asked for at once, 384 KiB of them. */
const TERMS_AT_ONCE = 8192
/** Short terms come again and again in files that repeat themselves; their chunks are kept. */
const SHORT_TERM = 4
const KEPT_CHUNKS = 256

/** Puts a file together, term after term, and hashes it on the way. */
export async function rebuild(ask: Ask, { terms, isWanted, ...expected }: RebuildInput) {
  const out = new Out(ask, isWanted)
  const file = new FileBuilder(ask, out, expected)
  for await (const run of runs(ask, terms)) await file.add(run)
  file.end()
  return { sha256: await out.end() }
}

/** The terms in order, those that follow each other in one xorb made one. */
async function* runs(ask: Ask, count: number): AsyncGenerator<Run> {
  let last: Run | undefined
  for (let from = 0; from < count; from += TERMS_AT_ONCE) {
    const bytes = await ask<Uint8Array>('terms', { from, count: Math.min(TERMS_AT_ONCE, count - from) })
    const records = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at + recordBytes <= records.length; at += recordBytes) {
      const { xorb: raw, start, end } = termAt(records, at)
      const xorb = hashText(raw)
      if (last && last.xorb === xorb && last.end === start) last.end = end
      else {
        if (last) yield last
        last = { xorb, start, end }
      }
    }
  }
  if (last) yield last
}

class FileBuilder {
  readonly #out: Out
  readonly #expected: Pick<RebuildInput, 'sizeBytes' | 'fileHash'>
  readonly #tree = new HashTree()
  #sizeBytes = 0
  readonly #ranges: RangeDecoder
  readonly #indexes: Indexes
  readonly #chunks = new LRUCache<string, Uint8Array>({ max: KEPT_CHUNKS })

  constructor(ask: Ask, out: Out, expected: Pick<RebuildInput, 'sizeBytes' | 'fileHash'>) {
    this.#out = out
    this.#expected = expected
    this.#indexes = new Indexes(ask)
    this.#ranges = new RangeDecoder(ask)
  }

  async add(run: Run): Promise<void> {
    const { xorb, start, end } = run
    const index = await this.#indexes.of(xorb)
    this.#count(run, index)
    const isShort = end - start <= SHORT_TERM
    if (isShort && (await this.#addKept(xorb, start, end))) return
    const filled = (chunk: number, bytes: Uint8Array) => {
      if (this.#expected.fileHash !== undefined) checkChunk(run, index, chunk, bytes)
      if (isShort) this.#chunks.set(`${xorb}/${chunk}`, new Uint8Array(bytes))
    }
    await this.#ranges.decode(run, index, { room: (lengthBytes) => this.#out.room(lengthBytes), filled })
  }

  /** Every run was added. Throws FormatError when they do not make the file. */
  end(): void {
    const { sizeBytes, fileHash } = this.#expected
    if (this.#sizeBytes !== sizeBytes) throw new FormatError('file-size', `it has ${this.#sizeBytes} bytes`)
    const found = fileHash === undefined ? undefined : hashText(fileHashOf(this.#tree.root()))
    if (found !== fileHash) throw new FormatError('file-hash', `its chunks have the hash ${found}`)
  }

  /** The manifest was good once, but comes out of the store. */
  #count({ xorb, start, end }: Run, { n, hashes, lengths }: XorbIndex): void {
    if (end > n) throw new FormatError('shard-term', `the container ${xorb} has ${n} chunks, not ${end}`)
    const { sizeBytes, fileHash } = this.#expected
    for (let chunk = start; chunk < end; chunk++) {
      const length = lengths[chunk] ?? 0
      this.#sizeBytes += length
      if (fileHash !== undefined)
        this.#tree.add(hashes.subarray(chunk * hashBytes, (chunk + 1) * hashBytes), length)
    }
    if (this.#sizeBytes > sizeBytes) throw new FormatError('file-size', `it has more than ${sizeBytes} bytes`)
  }

  async #addKept(xorb: string, start: number, end: number): Promise<boolean> {
    const chunks: Uint8Array[] = []
    for (let i = start; i < end; i++) {
      const chunk = this.#chunks.get(`${xorb}/${i}`)
      if (!chunk) return false
      chunks.push(chunk)
    }
    for (const chunk of chunks) copyBytes(await this.#out.room(chunk.length), 0, chunk)
    return true
  }
}

function checkChunk({ xorb }: Run, { hashes }: XorbIndex, chunk: number, bytes: Uint8Array): void {
  if (!chunkHash(bytes).equals(hashes.subarray(chunk * hashBytes, (chunk + 1) * hashBytes)))
    throw new FormatError('tree-hash', `chunk ${chunk} of the stored container ${xorb} has another hash`)
}

/** Gathers decoded chunks in slabs, hashes them and hands them over; one is written while the next is filled. */
class Out {
  readonly #ask: Ask
  readonly #isWanted: boolean
  readonly #hash = createHash('sha256')
  #slab: Uint8Array = new Uint8Array(0)
  #filled = 0
  /** A chunk that goes into two slabs, until they have it. */
  readonly #carry = new Uint8Array(maxChunkBytes)
  #carried = 0
  /** Brings the slab to fill next. */
  #coming: Promise<Uint8Array>

  constructor(ask: Ask, isWanted: boolean) {
    this.#ask = ask
    this.#isWanted = isWanted
    this.#coming = isWanted ? this.#put() : Promise.resolve(Buffer.allocUnsafeSlow(SLAB_BYTES))
  }

  /** Room for the next bytes, of one chunk at most, to be filled before the next call. */
  async room(lengthBytes: number): Promise<Uint8Array> {
    await this.#spread()
    if (this.#filled === this.#slab.length) await this.#turn()
    const from = this.#filled
    if (from + lengthBytes > this.#slab.length) {
      this.#carried = lengthBytes
      return this.#carry.subarray(0, lengthBytes)
    }
    this.#filled += lengthBytes
    return this.#slab.subarray(from, this.#filled)
  }

  /** The SHA-256 of all bytes, when they are taken. */
  async end(): Promise<string> {
    await this.#spread()
    if (this.#filled > 0) this.#hand()
    await this.#coming
    return this.#hash.digest('hex')
  }

  async #spread(): Promise<void> {
    for (let at = 0; at < this.#carried;) {
      if (this.#filled === this.#slab.length) await this.#turn()
      const part = this.#carry.subarray(at, Math.min(this.#carried, at + this.#slab.length - this.#filled))
      copyBytes(this.#slab, this.#filled, part)
      this.#filled += part.length
      at += part.length
    }
    this.#carried = 0
  }

  /** Takes the next slab for the one that is full, if there was one yet. */
  async #turn(): Promise<void> {
    const next = this.#coming
    if (this.#filled > 0) {
      const slab = await next
      this.#hand()
      this.#slab = slab
    } else {
      this.#slab = await next
      if (this.#isWanted) this.#coming = this.#put()
    }
    this.#filled = 0
  }

  #hand(): void {
    this.#hash.update(this.#slab.subarray(0, this.#filled))
    if (this.#isWanted) this.#coming = this.#put(this.#filled)
  }

  #put(filled?: number): Promise<Uint8Array> {
    const coming = this.#ask<Uint8Array>('put', filled)
    // A caller that breaks off does not need to hear that the task ended.
    coming.catch(() => undefined)
    return coming
  }
}
