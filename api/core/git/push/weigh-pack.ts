import { once } from 'node:events'
import { setImmediate as breathe } from 'node:timers/promises'
import { createInflate } from 'node:zlib'
import { CHUNK_BYTES, type ByteSource } from '../../../stores/storage/index.ts'
import { CorruptObject } from '../errors.ts'
import { DELTA_SIZES_BYTES, readDeltaSizes } from '../packs/delta.ts'
import { inflateFirst, INLINE_BYTES } from '../packs/inflate.ts'
import { ENTRY_HEADER_MAX_BYTES, PACK_HEADER_BYTES, parseEntryHeader } from '../packs/pack-entry.ts'

const ENTRIES_PER_TURN = 100

/** What a pack holds: no more than allowed, more, or something that cannot be read to its end. */
export type Weight = 'fine' | 'too-much' | 'damaged'

/**
 * Adds up what the objects of a pack inflate to, those that deltas make with them. It stops before the first that is too
 * much, by what its header declares, and inflates no object further than that; what comes out is dropped.
 */
export async function weighPack(pack: ByteSource, maxBytes: number): Promise<Weight> {
  const entries = new PackEntries(pack)
  try {
    let left = maxBytes
    for (let count = await entries.count(), i = 0; i < count; i++) {
      if (i % ENTRIES_PER_TURN === 0) await breathe()
      const { type, sizeBytes } = await entries.header()
      left -= sizeBytes
      if (left < 0) return 'too-much'
      const beginning = await entries.content(sizeBytes)
      if (!type) left -= readDeltaSizes(beginning).resultBytes
      if (left < 0) return 'too-much'
    }
    return 'fine'
  } catch (error) {
    if (error instanceof CorruptObject) return 'damaged'
    throw error
  } finally {
    await entries.close()
  }
}

/** The entries of a pack as its bytes come: a header, its content, the next header. */
class PackEntries {
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(pack: ByteSource) {
    this.#chunks = pack[Symbol.asyncIterator]()
  }

  /** How many there are said to be. */
  async count(): Promise<number> {
    await this.#fill(PACK_HEADER_BYTES)
    if (this.#held.length < PACK_HEADER_BYTES) throw new CorruptObject('pack cut short')
    return this.#take(PACK_HEADER_BYTES).readUInt32BE(8)
  }

  async header(): Promise<ReturnType<typeof parseEntryHeader>> {
    await this.#fill(ENTRY_HEADER_MAX_BYTES)
    const header = parseEntryHeader(this.#held)
    this.#take(header.dataAt)
    return header
  }

  /** Passes a content of this inflated length over; answers its beginning. */
  async content(sizeBytes: number): Promise<Buffer> {
    // As long as zlib makes any content; what another has cut into more blocks goes the longer way.
    await this.#fill(sizeBytes + (sizeBytes >> 10) + 64, INLINE_BYTES)
    if (sizeBytes > INLINE_BYTES / 2) return this.#passOver(sizeBytes)
    try {
      const { content, deflatedBytes } = inflateFirst(this.#held, sizeBytes)
      this.#take(deflatedBytes)
      return content
    } catch (error) {
      if (error instanceof CorruptObject) return this.#passOver(sizeBytes)
      throw error
    }
  }

  async #passOver(sizeBytes: number): Promise<Buffer> {
    const inflater = createInflate({ chunkSize: CHUNK_BYTES })
    let beginning: Buffer = Buffer.alloc(0)
    let inflatedBytes = 0
    inflater.on('data', (chunk: Buffer) => {
      if (beginning.length < DELTA_SIZES_BYTES)
        beginning = Buffer.concat([beginning, chunk.subarray(0, DELTA_SIZES_BYTES)])
      inflatedBytes += chunk.length
      if (inflatedBytes > sizeBytes) inflater.destroy(new CorruptObject('longer than its header says'))
    })
    const ended = once(inflater, 'end').then(() => 'ended' as const)
    try {
      for (let hasEnded = false; !hasEnded;) {
        await this.#fill(1)
        const piece = this.#held
        if (piece.length === 0) throw new CorruptObject('pack cut short')
        const before = inflater.bytesWritten
        // zlib calls back for what it has used up alone.
        const used = new Promise<'used'>((resolve) => inflater.write(piece, () => resolve('used')))
        hasEnded = (await Promise.race([used, ended])) === 'ended'
        this.#take(inflater.bytesWritten - before)
      }
    } catch (error) {
      throw isOfZlib(error) ? new CorruptObject('does not inflate', { cause: error }) : error
    } finally {
      ended.catch(() => undefined)
      inflater.destroy()
    }
    if (inflatedBytes !== sizeBytes) throw new CorruptObject('shorter than its header says')
    return beginning
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** Holds so many bytes, or `most` if that is less, or all that are left. */
  async #fill(bytes: number, most = bytes): Promise<void> {
    const pieces: Uint8Array[] = [this.#held]
    let length = this.#held.length
    while (length < Math.min(bytes, most)) {
      const step = await this.#chunks.next()
      if (step.done) break
      pieces.push(step.value)
      length += step.value.length
    }
    if (pieces.length > 1) this.#held = Buffer.concat(pieces)
  }

  #take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return taken
  }
}

// nodejs.org/api/zlib.html, zlib constants: its errors are called after zlib's own.
const isOfZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
