import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { ByteSource } from '../blob-store.ts'
import type { DirectIo } from './uncached.ts'
import { onDisk } from './errors.ts'
import {
  BLOCK_BYTES,
  isAligned,
  LEAST_BYTES,
  ReadMemory,
  returnSlab,
  reuse,
  type Slab,
  takeSlab,
} from '../../../platform/direct-io/index.ts'
import { StoreError } from '../store-error.ts'

/**
 * The bytes from `start` up to `end` of an open file, which is closed at the end, on an error, on `return()` and on
 * abort. Chunk n+1 is read while the consumer has chunk n. Where memory is short, chunks are small and none is read ahead. Slabs come past the page cache with `direct`.
 */
export function readChunks(
  key: string,
  from: { file: FileHandle; direct: DirectIo | undefined },
  range: { start: number; end: number },
  signal?: AbortSignal,
): ByteSource {
  return new ChunkReader(key, from, range, signal)
}

class ChunkReader implements ByteSource, AsyncIterator<Uint8Array> {
  readonly #key: string
  readonly #file: FileHandle
  readonly #direct: DirectIo | undefined
  readonly #end: number
  readonly #signal: AbortSignal | undefined
  readonly #abort = () => void this.return()
  readonly #memory = new ReadMemory(this)
  #at: number
  /** What the consumer has. */
  #given: Uint8Array | undefined
  #fillsSlabs = false
  #areLarge = false
  #bypass: Promise<FileHandle | undefined> | undefined
  #ahead: Promise<Uint8Array> | undefined
  #closing: Promise<void> | undefined

  constructor(
    key: string,
    { file, direct }: { file: FileHandle; direct: DirectIo | undefined },
    { start, end }: { start: number; end: number },
    signal: AbortSignal | undefined,
  ) {
    this.#key = key
    this.#file = file
    this.#direct = direct
    this.#at = start
    this.#end = end
    this.#signal = signal
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  inSlabs(areLarge = false): AsyncIterable<Slab> {
    this.#fillsSlabs = true
    this.#areLarge = areLarge
    return this
  }

  giveBack(chunk: Uint8Array): void {
    if (this.#fillsSlabs) returnSlab(chunk)
    else reuse(chunk)
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      this.#signal?.throwIfAborted()
      if (this.#given) this.#memory.release(this.#given)
      this.#given = undefined
      const current = this.#ahead ?? this.#readOn()
      if (!current || this.#closing) {
        await this.return()
        return { done: true, value: undefined }
      }
      const value = await current
      this.#signal?.throwIfAborted()
      if (!this.#fillsSlabs) this.#given = value
      this.#ahead = value.length > LEAST_BYTES ? this.#readOn() : undefined
      if (this.#at >= this.#end && !this.#ahead) await this.#close()
      return { done: false, value }
    } catch (error) {
      await this.return()
      throw this.#signal?.aborted ? this.#signal.reason : error
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    await this.#close()
    this.#memory.releaseAll()
    return { done: true, value: undefined }
  }

  #readOn(): Promise<Uint8Array> | undefined {
    if (this.#at >= this.#end || this.#closing) return undefined
    const from = this.#at
    // A slab begins with a block of the file, so that the disk can fill it.
    const before = this.#fillsSlabs ? from % BLOCK_BYTES : 0
    const left = this.#end - from
    const memory = this.#fillsSlabs
      ? takeSlab(this.#areLarge ? before + left : undefined)
      : this.#memory.take(left)
    const bytes = memory.subarray(before, before + left)
    this.#at += bytes.length
    const read = onDisk(this.#key, () =>
      this.#fillsSlabs
        ? this.#fillSlab(memory, from, bytes)
        : readExactly(this.#key, this.#file, from, bytes),
    )
    // Its failure is reported by the `next()` that asks for it, if any does.
    read.catch(() => undefined)
    return read
  }

  async #fillSlab(slab: Slab, from: number, bytes: Slab): Promise<Slab> {
    const { byteOffset: before, length } = bytes
    const wholeBytes = Math.ceil((before + length) / BLOCK_BYTES) * BLOCK_BYTES
    const readBytes = isAligned(slab) ? await this.#readDirect(slab, from - before, wholeBytes) : 0
    const filled = Math.min(Math.max(readBytes - before, 0), length)
    await readExactly(this.#key, this.#file, from + filled, bytes.subarray(filled))
    return bytes
  }

  /** How many bytes came past the cache; a file ends where it ends, even within a block. */
  async #readDirect(slab: Slab, from: number, length: number): Promise<number> {
    // By the open file, since the name it was opened by may be gone.
    const direct = this.#direct
    if (!direct) return 0
    this.#bypass ??= direct.open(`/proc/self/fd/${this.#file.fd}`, constants.O_RDONLY)
    const file = await this.#bypass
    const read = file && (await direct.attempt(() => file.read(slab, 0, length, from)))
    return read?.bytesRead ?? 0
  }

  #close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#closing ??= this.#closeFiles()
    return this.#closing
  }

  async #closeFiles(): Promise<void> {
    await Promise.allSettled([this.#ahead])
    const bypass = await this.#bypass
    await Promise.all([this.#file.close(), bypass?.close()])
  }
}

/** Fills `bytes` from `position` on; a file that ends before them rejects with `corrupt`. */
export async function readExactly(
  key: string,
  file: FileHandle,
  position: number,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, position + filled)
    if (bytesRead === 0) throw new StoreError('corrupt', key, `ends at ${position + filled}`)
    filled += bytesRead
  }
  return bytes
}
