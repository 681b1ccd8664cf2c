import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ByteSource } from '../blob-store.ts'
import { CHUNK_BYTES } from '../bytes.ts'
import { DiskSpace } from '../disk-space.ts'
import { onDisk } from '../fs/errors.ts'
import { readExactly } from '../fs/reader.ts'

/** Bodies up to this size are kept in memory. */
const MEMORY_BYTES = CHUNK_BYTES
const READ_BYTES = 256 * 1024
const LEAST_MEMORY_BYTES = 16 * 1024

/** Bytes kept aside so that they can be sent more than once. */
export interface Spooled {
  sizeBytes: number
  /** In base64, as `Content-MD5` wants it. */
  md5: string
  /** All bytes again, which ends the body given before; `onRead` hears of each chunk on its way. */
  body(onRead: () => void): Readable
  drop(): Promise<void>
}

/** Cuts a source into bodies of at most so many bytes, the larger ones in files of the temporary folder. */
export class Spooler {
  readonly #key: string
  readonly #source: ByteSource
  readonly #chunks: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()
  #at = 0
  #isEnded = false

  constructor(key: string, source: ByteSource) {
    this.#key = key
    this.#source = source
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** Whether every byte has been taken; waits for the source's next ones to tell. */
  async isEnded(): Promise<boolean> {
    while (!this.#isEnded && this.#at === this.#chunk.length) await this.#advance()
    return this.#isEnded
  }

  /** The next `maxBytes`, or what is left. */
  async take(maxBytes: number): Promise<Spooled> {
    const spool = new Spool(this.#key)
    try {
      while (spool.sizeBytes < maxBytes && !(await this.isEnded())) {
        const bytes = this.#chunk.subarray(this.#at, this.#at + maxBytes - spool.sizeBytes)
        await spool.add(bytes)
        this.#at += bytes.length
      }
      return spool.finish()
    } catch (error) {
      await spool.drop()
      throw error
    }
  }

  /** Closes the source when it is not wanted to its end. */
  async close(): Promise<void> {
    if (!this.#isEnded) await this.#chunks.return?.()
  }

  async #advance(): Promise<void> {
    if (this.#chunk.length > 0) this.#source.giveBack?.(this.#chunk)
    const { value, done } = await this.#chunks.next()
    this.#isEnded = done === true
    this.#chunk = done ? new Uint8Array() : value
    this.#at = 0
  }
}

class Spool implements Spooled {
  readonly #key: string
  readonly #hash = createHash('md5')
  readonly #space = new DiskSpace(tmpdir(), 'What you send')
  #memory = Buffer.alloc(0)
  #file: FileHandle | undefined
  #body: Readable | undefined
  sizeBytes = 0
  md5 = ''

  constructor(key: string) {
    this.#key = key
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    if (!this.#file && this.sizeBytes + bytes.length > MEMORY_BYTES) await this.#spill()
    const file = this.#file
    if (!file) this.#keep(bytes)
    else {
      await this.#space.take(bytes.length)
      await onDisk(this.#key, () => writeAll(file, bytes, this.sizeBytes))
    }
    this.sizeBytes += bytes.length
  }

  finish(): this {
    this.md5 = this.#hash.digest('base64')
    return this
  }

  body(onRead: () => void): Readable {
    this.#body?.destroy()
    this.#body = Readable.from(this.#read(onRead), { objectMode: false, highWaterMark: READ_BYTES })
    // The request that sends it fails with it, or is over.
    this.#body.on('error', () => undefined)
    return this.#body
  }

  async drop(): Promise<void> {
    this.#body?.destroy()
    this.#memory = Buffer.alloc(0)
    await this.#file?.close()
    this.#file = undefined
  }

  async *#read(onRead: () => void): AsyncGenerator<Uint8Array> {
    const file = this.#file
    if (!file) return yield this.#memory.subarray(0, this.sizeBytes)
    for (let at = 0; at < this.sizeBytes; at += READ_BYTES) {
      const memory = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.sizeBytes - at))
      yield await onDisk(this.#key, () => readExactly(this.#key, file, at, memory))
      onRead()
    }
  }

  /** Opens a file that has no name any more, so that a crash leaves none, and moves there. */
  async #spill(): Promise<void> {
    const path = join(tmpdir(), `arsenal-spool-${randomUUID()}`)
    const file = await onDisk(this.#key, () => open(path, 'wx+', 0o600))
    this.#file = file
    await onDisk(this.#key, () => unlink(path))
    await onDisk(this.#key, () => writeAll(file, this.#memory.subarray(0, this.sizeBytes), 0))
    this.#memory = Buffer.alloc(0)
  }

  /** Copies: a chunk goes back to its source, and a million tiny ones would take a hundred times their bytes. */
  #keep(bytes: Uint8Array): void {
    const needed = this.sizeBytes + bytes.length
    if (needed > this.#memory.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, LEAST_MEMORY_BYTES, 2 * this.#memory.length))
      grown.set(this.#memory.subarray(0, this.sizeBytes))
      this.#memory = grown
    }
    this.#memory.set(bytes, this.sizeBytes)
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
