import type { LRUCache } from 'lru-cache'
import type { ByteRange, ByteSource } from '../../../stores/storage/index.ts'
import { applyDelta, DELTA_SIZES_BYTES, readDeltaSizes } from './delta.ts'
import { CorruptObject, ObjectTooLarge } from '../errors.ts'
import { HeldContents, sharedStream } from './held-contents.ts'
import { inflateBeginning, inflateExactly, inflateInline, INLINE_BYTES } from './inflate.ts'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { MAX_DELTA_DEPTH } from './delta-depth.ts'
import { ENTRY_HEADER_MAX_BYTES, parseEntryHeader, type EntryHeader } from './pack-entry.ts'
import { PackFile } from './pack-file.ts'
import type { PackIndex } from './pack-index.ts'

/** An object as a pack holds it, rebuilt. The content must not be changed: it may be shared. */
export interface PackedObject {
  type: ObjectType
  content: Buffer
}

/** Rebuilt delta bases by `pack:offset`. Without it a listing of packed LFS pointers is 15 times slower. */
export type DeltaBases = LRUCache<string, PackedObject>

/**
 * Deflated bytes looked at for the beginning of a content. Most often the first suffice; the tables of a block's codes can
 * take 286 before any content (RFC 1951, 3.2.7), and writers may put empty blocks before them.
 */
const BEGINNINGS_BYTES = [DELTA_SIZES_BYTES + 12, 512, 16 * 1024]

interface Link extends EntryHeader {
  offset: number
}

/** One immutable pack on the local disk. After `close` every call throws `PackClosed`. */
export class Pack {
  readonly id: string
  readonly path: string
  readonly index: PackIndex
  readonly #bases: DeltaBases
  readonly #maxBytes: number
  readonly #file: PackFile
  readonly #held: HeldContents

  /** `maxBytes` bounds what is ever rebuilt in memory, and `held` what readers share. Throws the file system's error when the file cannot be opened. */
  constructor(
    id: string,
    path: string,
    index: PackIndex,
    bases: DeltaBases,
    maxBytes: number,
    held = new HeldContents(0),
  ) {
    this.#held = held
    this.id = id
    this.path = path
    this.index = index
    this.#bases = bases
    this.#maxBytes = maxBytes
    this.#file = new PackFile(id, path)
  }

  get isClosed(): boolean {
    return this.#file.isClosed
  }

  /** Streams already open go on: they have a descriptor of their own. */
  close(): void {
    this.#file.close()
  }

  /** Offset of the object, or `undefined` when this pack lacks it. */
  find(oid: Oid): number | undefined {
    return this.index.find(oid)
  }

  /** Type and size without inflating the content (of a delta: its first bytes). */
  stat(offset: number): { type: ObjectType; sizeBytes: number } {
    const { type, chain } = this.#chain(offset)
    const top = chain[0]
    if (!top) throw new CorruptObject('empty delta chain')
    if (top.type) return { type, sizeBytes: top.sizeBytes }
    return { type, sizeBytes: readDeltaSizes(this.#deltaSizes(top)).resultBytes }
  }

  /** What a delta begins with: so much of it is inflated as that takes. */
  #deltaSizes({ offset, dataAt, sizeBytes }: Link): Buffer {
    const wanted = Math.min(DELTA_SIZES_BYTES, sizeBytes)
    for (const length of BEGINNINGS_BYTES) {
      const inflated = inflateBeginning(this.#file.peek(offset + dataAt, length))
      if (inflated.length >= wanted) return inflated
    }
    throw new CorruptObject('a delta cut short')
  }

  /** The whole object in memory. Throws `ObjectTooLarge`, `CorruptObject`. */
  async read(offset: number): Promise<PackedObject> {
    const cached = this.#bases.get(this.#key(offset))
    if (cached) return cached
    const { chain, base } = this.#chain(offset, true)
    let object = base
    for (const link of chain.toReversed()) {
      const data = await this.#inflate(link)
      if (link.type) object = { type: link.type, content: data }
      else if (object)
        object = { type: object.type, content: applyDelta(object.content, data, this.#maxBytes) }
      if (object && (chain.length > 1 || !link.type)) this.#bases.set(this.#key(link.offset), object)
    }
    if (!object) throw new CorruptObject('delta without a base')
    return object
  }

  /** Streams a blob or one range of it; contents kept whole never lie in memory as a whole. */
  async stream(offset: number, range?: ByteRange): Promise<ByteSource> {
    const header = this.#header(offset)
    const from = range?.offset ?? 0
    const to = (sizeBytes: number) => Math.min(sizeBytes, range ? range.offset + range.length : sizeBytes)
    if (!header.type || header.sizeBytes <= INLINE_BYTES) {
      const { content } = await this.read(offset)
      return once(content.subarray(from, Math.max(from, to(content.length))))
    }
    const file = await this.#file.openAgain()
    const span = {
      start: offset + header.dataAt,
      end: this.index.endOf(offset, this.#file.end),
      sizeBytes: header.sizeBytes,
    }
    const length = Math.max(from, to(header.sizeBytes)) - from
    return sharedStream(this.#held, this.#key(offset), { file, span }, { offset: from, length })
  }

  /** Follows a delta to its base; with `useCache` it stops at a base already rebuilt. */
  #chain(from: number, useCache = false): { type: ObjectType; chain: Link[]; base?: PackedObject } {
    const chain: Link[] = []
    for (let offset = from; chain.length <= MAX_DELTA_DEPTH;) {
      const cached = useCache ? this.#bases.get(this.#key(offset)) : undefined
      if (cached) return { type: cached.type, chain, base: cached }
      const header = this.#header(offset)
      chain.push({ ...header, offset })
      if (header.type) return { type: header.type, chain }
      offset = this.#baseOf(header, offset)
    }
    throw new CorruptObject('delta chain is too long')
  }

  #baseOf(header: EntryHeader, offset: number): number {
    if (header.baseDistance !== undefined) return offset - header.baseDistance
    const base = header.baseOid && this.index.find(header.baseOid)
    // Packs at rest are self-contained, so the base of a REF_DELTA lies in the same pack.
    if (base === undefined) throw new CorruptObject('delta base is not in the pack')
    return base
  }

  #header(offset: number): EntryHeader {
    if (offset < 0 || offset >= this.#file.end) throw new CorruptObject('pack offset out of range')
    return parseEntryHeader(this.#file.peek(offset, ENTRY_HEADER_MAX_BYTES))
  }

  async #inflate(link: Link): Promise<Buffer> {
    const { offset, dataAt, sizeBytes } = link
    if (sizeBytes > this.#maxBytes) throw new ObjectTooLarge(sizeBytes)
    const start = offset + dataAt
    const enough = deflateBound(sizeBytes)
    if (sizeBytes <= INLINE_BYTES) {
      try {
        return inflateInline(this.#file.peek(start, enough), sizeBytes)
      } catch (error) {
        // Another writer may have cut the content into so many blocks that it is longer than zlib would make it.
        if (this.index.endOf(offset, this.#file.end) - start <= enough) throw error
      }
    }
    return inflateExactly(await this.#file.read(start, this.index.endOf(offset, this.#file.end)), sizeBytes)
  }

  #key(offset: number): string {
    return `${this.id}:${offset}`
  }
}

/** What zlib deflates `sizeBytes` to at most (deflate.c, deflateBound for default settings). */
function deflateBound(sizeBytes: number): number {
  return sizeBytes + (sizeBytes >> 12) + (sizeBytes >> 14) + (sizeBytes >> 25) + 13
}

async function* once(bytes: Buffer): ByteSource {
  if (bytes.length > 0) yield bytes
}
