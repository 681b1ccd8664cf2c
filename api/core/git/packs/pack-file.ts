import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { CorruptObject, isAbsentFile, PackClosed } from '../errors.ts'
import { OID_BYTES } from '../objects/oid.ts'

/** Read at once: entries that lie side by side, such as the pointers of a folder, then cost one system call. */
const WINDOW_BYTES = 16 * 1024

/** A pack's file, open for reads by position. After `close` reads throw `PackClosed`. */
export class PackFile {
  /** Where the entries end and the trailer begins. */
  readonly end: number
  readonly #packId: string
  readonly #path: string
  #fd: number | undefined
  #window: Buffer | undefined
  #windowAt = 0
  #windowEnd = 0

  /** Throws the file system's error when the file cannot be opened. */
  constructor(packId: string, path: string) {
    this.#packId = packId
    this.#path = path
    this.#fd = openSync(path, 'r')
    this.end = fstatSync(this.#fd).size - OID_BYTES
  }

  get isClosed(): boolean {
    return this.#fd === undefined
  }

  close(): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
    this.#window = undefined
  }

  /**
   * Up to `length` bytes (fewer before the trailer), at once: they come from the page cache in microseconds, where a trip
   * through the thread pool costs more. Valid until the next call, so nothing may keep them or use them later.
   */
  peek(position: number, length: number): Buffer {
    const fd = this.#opened()
    const wanted = Math.max(0, Math.min(length, this.end - position))
    if (wanted > WINDOW_BYTES) return this.#fill(fd, Buffer.allocUnsafe(wanted), position)
    if (position < this.#windowAt || position + wanted > this.#windowEnd) {
      this.#window ??= Buffer.allocUnsafeSlow(WINDOW_BYTES)
      const filled = Math.min(WINDOW_BYTES, this.end - position)
      this.#windowEnd = 0
      this.#fill(fd, this.#window.subarray(0, filled), position)
      this.#windowAt = position
      this.#windowEnd = position + filled
    }
    const from = position - this.#windowAt
    return (this.#window ?? Buffer.alloc(0)).subarray(from, from + wanted)
  }

  /** Bytes of a large entry, read in the thread pool. */
  async read(start: number, end: number): Promise<Buffer> {
    const file = await this.openAgain()
    try {
      const buffer = Buffer.allocUnsafe(Math.max(0, end - start))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** A descriptor of its own, for streams, which go on after `close`. */
  async openAgain(): Promise<FileHandle> {
    return open(this.#path, 'r').catch((cause: unknown) => {
      throw isAbsentFile(cause) ? new PackClosed(this.#packId) : cause
    })
  }

  #opened(): number {
    if (this.#fd === undefined) throw new PackClosed(this.#packId)
    return this.#fd
  }

  #fill(fd: number, buffer: Buffer, position: number): Buffer {
    let done = 0
    while (done < buffer.length) {
      const count = readSync(fd, buffer, done, buffer.length - done, position + done)
      if (count === 0) throw new CorruptObject(`pack ${this.#packId} is cut short`)
      done += count
    }
    return buffer
  }
}
