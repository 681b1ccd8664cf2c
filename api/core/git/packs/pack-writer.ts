import { createHash } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, createDeflate, deflate, deflateSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { uuidv7 } from 'uuidv7'
import {
  CHUNK_BYTES,
  collect,
  DiskSpace,
  fromChunks,
  type ByteSource,
} from '../../../stores/storage/index.ts'
import { exactly } from './exactly.ts'
import { INLINE_BYTES } from './inflate.ts'
import { hashObject, objectHeader, type ObjectType, type Oid } from '../objects/oid.ts'
import { streamOf, type FinishedPack } from './finished-pack.ts'
import { formatEntryHeader, PACK_HEADER_BYTES } from './pack-entry.ts'
import { buildIndex, type IndexEntry } from './pack-index.ts'

// Small objects are deflated at once, so many of them must let others have a turn.
const OBJECTS_PER_TURN = 200
// Trees are rewritten by every commit and compacted away soon, so speed counts more than size there.
const LEVEL: Record<ObjectType, number> = { tree: 1, blob: 6, commit: 6, tag: 6 }

const deflateAsync = promisify<Buffer, { level: number }, Buffer>(deflate)

/** A place to come back to with `rewind`. */
export interface PackMark {
  objects: number
  position: number
}

/**
 * Writes undeltified objects into a pack, each object once; in a temporary file what is beyond 1 MiB. The object count is
 * patched at the end, so the trailer is a second pass over the bytes. Calls must not overlap.
 */
export class PackWriter {
  readonly #dir: string
  readonly #space: DiskSpace
  #file: { handle: FileHandle; path: string } | undefined
  #entries: IndexEntry[] = []
  #known = new Set<string>()
  #pending: Buffer[] = [Buffer.alloc(PACK_HEADER_BYTES)]
  #pendingBytes = PACK_HEADER_BYTES
  #flushed = 0

  /** `dir` is made when absent and needed. Nothing in it needs to survive a crash. */
  constructor(dir: string) {
    this.#dir = dir
    this.#space = new DiskSpace(dir, 'The pack of this change')
  }

  /** Bytes so far. */
  get sizeBytes(): number {
    return this.#position
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
    const kept = Buffer.concat(this.#pending).subarray(0, Math.max(0, mark.position - this.#flushed))
    this.#pending = [kept]
    this.#pendingBytes = kept.length
    this.#flushed = Math.min(this.#flushed, mark.position)
    await this.#file?.handle.truncate(this.#flushed)
    for (const entry of this.#entries.splice(mark.objects)) this.#known.delete(entry.oid.toString('latin1'))
  }

  /** Completes the pack. To add more afterwards, `rewind` to a mark. */
  async finish(): Promise<FinishedPack> {
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
    header.writeUInt32BE(this.#entries.length, 8)
    const made = this.#file ? await this.#finishFile(this.#file, header) : this.#finishHeld(header)
    // Marks count objects in the order they were added, so the index sorts a copy.
    const index = buildIndex([...this.#entries], made.sha1)
    return { ...made, sizeBytes: this.#position + made.sha1.length, objects: this.#entries.length, index }
  }

  #finishHeld(header: Buffer): Pick<FinishedPack, 'open' | 'sha1'> {
    const bytes = Buffer.concat(this.#pending)
    header.copy(bytes)
    const sha1 = createHash('sha1').update(bytes).digest()
    return { open: () => fromChunks(bytes, sha1), sha1 }
  }

  async #finishFile(
    { handle, path }: { handle: FileHandle; path: string },
    header: Buffer,
  ): Promise<Pick<FinishedPack, 'open' | 'sha1'>> {
    await this.#flush()
    await handle.write(header, 0, header.length, 0)
    const hash = createHash('sha1')
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = 0; at < this.#flushed;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK_BYTES, this.#flushed - at), at)
      hash.update(buffer.subarray(0, bytesRead))
      at += bytesRead
    }
    const sha1 = hash.digest()
    await handle.write(sha1, 0, sha1.length, this.#flushed)
    return { open: () => streamOf(path), sha1 }
  }

  /** Releases its memory, closes and removes the file. */
  async dispose(): Promise<void> {
    this.#pending = []
    if (!this.#file) return
    await this.#file.handle.close()
    await rm(this.#file.path, { force: true })
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
    const { handle } = (this.#file ??= await openNew(this.#dir))
    await this.#space.take(this.#pendingBytes)
    const bytes = Buffer.concat(this.#pending)
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, this.#flushed + done)
      done += bytesWritten
    }
    this.#flushed += bytes.length
    this.#pending = []
    this.#pendingBytes = 0
  }
}

async function openNew(dir: string): Promise<{ handle: FileHandle; path: string }> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, `${uuidv7()}.pack`)
  return { handle: await open(path, 'wx+', 0o600), path }
}

async function* tap(source: ByteSource, hash: { update(bytes: Uint8Array): unknown }): ByteSource {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}
