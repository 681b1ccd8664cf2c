import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { ByteSource } from '../blob-store.ts'
import { CHUNK_BYTES } from '../bytes.ts'
import type { DirectIo } from './uncached.ts'
import { onDisk } from './errors.ts'
import { BLOCK_BYTES, isAligned, returnSlab, SLAB_BYTES, type Slab, takeSlab } from '../slabs.ts'
import { StoreError } from '../store-error.ts'

/**
 * The bytes from `start` up to `end` of an open file, which is closed at the end, on an error, on `return()` and on
 * abort. Chunk n+1 is read while the consumer has chunk n, into a chunk that was returned or else new memory. Slabs
 * come past the page cache with `direct`.
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
  readonly #abort = () => void this.#close()
  readonly #spare: Uint8Array[] = []
  #at: number
  #fillsSlabs = false
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

  inSlabs(): AsyncIterable<Slab> {
    this.#fillsSlabs = true
    return this
  }

  giveBack(chunk: Uint8Array): void {
    if (this.#fillsSlabs) returnSlab(chunk)
    else if (chunk.length === CHUNK_BYTES) this.#spare.push(chunk)
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      this.#signal?.throwIfAborted()
      const current = this.#ahead ?? this.#readOn()
      if (!current || this.#closing) {
        await this.#close()
        return { done: true, value: undefined }
      }
      const value = await current
      this.#signal?.throwIfAborted()
      this.#ahead = this.#readOn()
      if (!this.#ahead) await this.#close()
      return { done: false, value }
    } catch (error) {
      await this.#close()
      throw this.#signal?.aborted ? this.#signal.reason : error
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    await this.#close()
    return { done: true, value: undefined }
  }

  #readOn(): Promise<Uint8Array> | undefined {
    if (this.#at >= this.#end || this.#closing) return undefined
    const from = this.#at
    // A slab begins with a block of the file, so that the disk can fill it.
    const before = this.#fillsSlabs ? from % BLOCK_BYTES : 0
    const atMost = this.#fillsSlabs ? SLAB_BYTES - before : CHUNK_BYTES
    const length = Math.min(atMost, this.#end - from)
    this.#at += length
    const read = onDisk(this.#key, () =>
      this.#fillsSlabs ? this.#fillSlab(from, before, length) : this.#fillChunk(from, length),
    )
    // Its failure is reported by the `next()` that asks for it, if any does.
    read.catch(() => undefined)
    return read
  }

  #fillChunk(from: number, length: number): Promise<Uint8Array> {
    const memory = this.#spare.pop() ?? Buffer.allocUnsafeSlow(length)
    return readExactly(this.#key, this.#file, from, memory.subarray(0, length))
  }

  async #fillSlab(from: number, before: number, length: number): Promise<Slab> {
    const slab = takeSlab()
    const bytes = slab.subarray(before, before + length)
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
