import type { FileHandle } from 'node:fs/promises'
import type { ByteSource } from './blob-store.ts'
import { CHUNK_BYTES } from './bytes.ts'
import { onDisk } from './fs-errors.ts'
import { StoreError } from './store-error.ts'

/**
 * The bytes from `start` up to `end` of an open file, which is closed at the end, on an error, on `return()` and on
 * abort. Chunk n+1 is read while the consumer has chunk n, into a chunk that was given back or else fresh memory.
 */
export function readChunks(
  key: string,
  file: FileHandle,
  { start, end }: { start: number; end: number },
  signal?: AbortSignal,
): ByteSource {
  return new ChunkReader(key, file, start, end, signal)
}

class ChunkReader implements ByteSource, AsyncIterator<Uint8Array> {
  readonly #key: string
  readonly #file: FileHandle
  readonly #end: number
  readonly #signal: AbortSignal | undefined
  readonly #abort = () => void this.#close()
  readonly #spare: Uint8Array[] = []
  #at: number
  #ahead: Promise<Uint8Array> | undefined
  #closing: Promise<void> | undefined

  constructor(key: string, file: FileHandle, start: number, end: number, signal: AbortSignal | undefined) {
    this.#key = key
    this.#file = file
    this.#at = start
    this.#end = end
    this.#signal = signal
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  giveBack(chunk: Uint8Array): void {
    if (chunk.length === CHUNK_BYTES) this.#spare.push(chunk)
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
    const length = Math.min(CHUNK_BYTES, this.#end - from)
    this.#at += length
    const memory = this.#spare.pop() ?? Buffer.allocUnsafeSlow(length)
    const bytes = memory.subarray(0, length)
    const read = onDisk(this.#key, () => readExactly(this.#key, this.#file, from, bytes))
    // Its failure is reported by the `next()` that asks for it, if any does.
    read.catch(() => undefined)
    return read
  }

  #close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#closing ??= this.#ahead
      ? this.#ahead.then(
          () => this.#file.close(),
          () => this.#file.close(),
        )
      : this.#file.close()
    return this.#closing
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
