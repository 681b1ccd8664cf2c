import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { copyBytes, SLAB_BYTES } from '../../storage/slabs.ts'
import {
  chunkHash,
  FormatError,
  hashBytes,
  hashText,
  maxChunkBytes,
  recordBytes,
  termAt,
  type XorbIndex,
} from '../format/index.ts'
import type { RebuildInput } from './messages.ts'
import { Indexes } from './indexes.ts'
import type { Ask } from './pieces.ts'
import { RangeDecoder, type Run } from './ranges.ts'

/** Terms asked for at once, 384 KiB of them. */
const TERMS_AT_ONCE = 8192
/** Short terms come again and again in files that repeat themselves; their chunks are kept. */
const SHORT_TERM = 4
const KEPT_CHUNKS = 256

/** Puts a file together, term after term, and hashes it on the way. */
export async function rebuild(ask: Ask, { terms, sizeBytes, isWanted, isChecked }: RebuildInput) {
  const out = new Out(ask, isWanted)
  const file = new FileBuilder(ask, out, isChecked)
  for await (const run of runs(ask, terms)) await file.add(run)
  const found = await out.end()
  if (found.sizeBytes !== sizeBytes) throw new FormatError('file-size', `it has ${found.sizeBytes} bytes`)
  return found
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
  readonly #isChecked: boolean
  readonly #ranges: RangeDecoder
  readonly #indexes: Indexes
  readonly #chunks = new LRUCache<string, Uint8Array>({ max: KEPT_CHUNKS })

  constructor(ask: Ask, out: Out, isChecked: boolean) {
    this.#out = out
    this.#isChecked = isChecked
    this.#indexes = new Indexes(ask)
    this.#ranges = new RangeDecoder(ask)
  }

  async add(run: Run): Promise<void> {
    const { xorb, start, end } = run
    const isShort = end - start <= SHORT_TERM
    if (isShort && (await this.#addKept(xorb, start, end))) return
    const index = await this.#indexes.of(xorb)
    const filled = (chunk: number, bytes: Uint8Array) => {
      if (this.#isChecked) checkChunk(run, index, chunk, bytes)
      if (isShort) this.#chunks.set(`${xorb}/${chunk}`, new Uint8Array(bytes))
    }
    await this.#ranges.decode(run, index, { room: (lengthBytes) => this.#out.room(lengthBytes), filled })
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
  #sizeBytes = 0
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

  async end(): Promise<{ sha256: string; sizeBytes: number }> {
    await this.#spread()
    if (this.#filled > 0) this.#hand()
    await this.#coming
    return { sha256: this.#hash.digest('hex'), sizeBytes: this.#sizeBytes }
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
    this.#sizeBytes += this.#filled
    if (this.#isWanted) this.#coming = this.#put(this.#filled)
  }

  #put(filled?: number): Promise<Uint8Array> {
    const coming = this.#ask<Uint8Array>('put', filled)
    // Whoever breaks off does not hear that the task was given up.
    coming.catch(() => undefined)
    return coming
  }
}
