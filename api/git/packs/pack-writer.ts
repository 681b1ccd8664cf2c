import { createHash } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, createDeflate, deflate, deflateSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { uuidv7 } from 'uuidv7'
import { CHUNK_BYTES, collect, type ByteSource } from '../../storage/index.ts'
import { exactly } from './exactly.ts'
import { INLINE_BYTES } from './inflate.ts'
import { hashObject, objectHeader, type ObjectType, type Oid } from '../objects/oid.ts'
import { formatEntryHeader, PACK_HEADER_BYTES } from './pack-entry.ts'
import { buildIndex, type IndexEntry } from './pack-index.ts'

// Small objects are deflated at once, so many of them must let others have a turn.
const OBJECTS_PER_TURN = 200
// Trees are rewritten by every commit and compacted away soon, so speed counts more than size there.
const LEVEL: Record<ObjectType, number> = { tree: 1, blob: 6, commit: 6, tag: 6 }

const deflateAsync = promisify<Buffer, { level: number }, Buffer>(deflate)

/** A pack ready to be stored; the file belongs to its writer until `dispose`. */
export interface FinishedPack {
  path: string
  sizeBytes: number
  /** The pack's trailer: SHA-1 of all bytes before it. */
  sha1: Buffer
  objects: number
  /** Bytes of the `.idx`. */
  index: Buffer
  /** Bytes of the `.bitmap`, where git made one. */
  bitmap?: Buffer
}

/** A place to come back to with `rewind`. */
export interface PackMark {
  objects: number
  position: number
}

/**
 * Writes undeltified objects into a pack in a temporary file, each object once. The object count is patched at the end,
 * so the trailer is a second pass over the file. Calls must not overlap.
 */
export class PackWriter {
  readonly path: string
  readonly #file: FileHandle
  #entries: IndexEntry[] = []
  #known = new Set<string>()
  #pending: Buffer[] = []
  #pendingBytes = 0
  #flushed = 0

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** `dir` is made when absent. Nothing in it needs to survive a crash. */
  static async open(dir: string): Promise<PackWriter> {
    await mkdir(dir, { recursive: true })
    const path = join(dir, `${uuidv7()}.pack`)
    const writer = new PackWriter(path, await open(path, 'wx+', 0o600))
    await writer.#append(Buffer.alloc(PACK_HEADER_BYTES))
    return writer
  }

  has(oid: Oid): boolean {
    return this.#known.has(oid.toString('latin1'))
  }

  /** Adds an object whose content is at hand. */
  async add(type: ObjectType, content: Buffer): Promise<Oid> {
    const oid = hashObject(type, content)
    if (this.has(oid)) return oid
    const level = LEVEL[type]
    const deflated =
      content.length <= INLINE_BYTES
        ? deflateSync(content, { level })
        : await deflateAsync(content, { level })
    const offset = this.#position
    const header = formatEntryHeader(type, content.length)
    await this.#append(header)
    await this.#append(deflated)
    this.#record({ oid, offset, crc: crc32(deflated, crc32(header)) })
    if (this.#entries.length % OBJECTS_PER_TURN === 0) await breathe()
    return oid
  }

  /** Streams a blob of known length in. Throws `WrongSize` when the source is shorter or longer; then nothing is added. */
  async addBlob(source: ByteSource, sizeBytes: number): Promise<Oid> {
    if (sizeBytes <= INLINE_BYTES)
      return this.add('blob', await collect(exactly(source, sizeBytes), sizeBytes))
    const before = this.mark()
    try {
      const entry = await this.#stream(source, sizeBytes)
      if (this.has(entry.oid)) await this.rewind(before)
      else this.#record(entry)
      return entry.oid
    } catch (error) {
      await this.rewind(before)
      throw error
    }
  }

  async #stream(source: ByteSource, sizeBytes: number): Promise<IndexEntry> {
    const offset = this.#position
    const header = formatEntryHeader('blob', sizeBytes)
    await this.#append(header)
    let crc = crc32(header)
    const hash = createHash('sha1').update(objectHeader('blob', sizeBytes))
    const deflater = Readable.from(tap(exactly(source, sizeBytes), hash)).compose(
      createDeflate({ level: LEVEL.blob }),
    )
    for await (const chunk of deflater as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc)
      await this.#append(chunk)
    }
    return { oid: hash.digest(), offset, crc }
  }

  /** Marks the present end, so that trees and a commit on top of kept blobs can be thrown away again. */
  mark(): PackMark {
    return { objects: this.#entries.length, position: this.#position }
  }

  /** Drops everything added since the mark, also a finished pack's trailer. */
  async rewind(mark: PackMark): Promise<void> {
    await this.#flush()
    await this.#file.truncate(mark.position)
    this.#flushed = mark.position
    for (const entry of this.#entries.splice(mark.objects)) this.#known.delete(entry.oid.toString('latin1'))
  }

  /** Completes the pack. To add more afterwards, `rewind` to a mark. */
  async finish(): Promise<FinishedPack> {
    await this.#flush()
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
    header.writeUInt32BE(this.#entries.length, 8)
    await this.#file.write(header, 0, header.length, 0)
    const hash = createHash('sha1')
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = 0; at < this.#flushed;) {
      const { bytesRead } = await this.#file.read(buffer, 0, Math.min(CHUNK_BYTES, this.#flushed - at), at)
      hash.update(buffer.subarray(0, bytesRead))
      at += bytesRead
    }
    const sha1 = hash.digest()
    await this.#file.write(sha1, 0, sha1.length, this.#flushed)
    // Marks count objects in the order they were added, so the index sorts a copy.
    const index = buildIndex([...this.#entries], sha1)
    return {
      path: this.path,
      sizeBytes: this.#flushed + sha1.length,
      sha1,
      objects: this.#entries.length,
      index,
    }
  }

  /** Closes and removes the file. */
  async dispose(): Promise<void> {
    await this.#file.close()
    await rm(this.path, { force: true })
  }

  get #position(): number {
    return this.#flushed + this.#pendingBytes
  }

  #record(entry: IndexEntry): void {
    this.#entries.push(entry)
    this.#known.add(entry.oid.toString('latin1'))
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    if (this.#pendingBytes >= CHUNK_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#pendingBytes === 0) return
    const bytes = Buffer.concat(this.#pending)
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#flushed + done)
      done += bytesWritten
    }
    this.#flushed += bytes.length
    this.#pending = []
    this.#pendingBytes = 0
  }
}

async function* tap(source: ByteSource, hash: { update(bytes: Uint8Array): unknown }): ByteSource {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}
