import { Readable } from 'node:stream'
import type { ByteSource } from './blob-store.ts'

/** Chunk size of streams, in bytes: 64 KiB chunks cost 2.3 times the CPU of 1 MiB ones on the way to a socket. */
export const CHUNK_BYTES = 1024 * 1024

/** More bytes came than the reader allows. */
export class TooManyBytes extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`)
    this.name = 'TooManyBytes'
    this.maxBytes = maxBytes
  }
}

/**
 * A source made of others: `run` reads them. Cancelling closes them also before the first chunk, when a bare
 * generator would not run its `finally`, and while they are silent, when it would wait for their next chunk.
 */
export function derived(sources: readonly ByteSource[], run: () => AsyncGenerator<Uint8Array>): ByteSource {
  const chunks = run()
  let isStarted = false
  let isWaiting = false
  const iterator = {
    async next() {
      isStarted = true
      isWaiting = true
      try {
        return await chunks.next()
      } finally {
        isWaiting = false
      }
    },
    async return(): Promise<IteratorResult<Uint8Array>> {
      if (isStarted && !isWaiting) return chunks.return(undefined)
      const ended = chunks.return(undefined)
      // Comes when the cancelled source ends; there is no need to wait for that.
      ended.catch(() => undefined)
      for (const source of sources) await cancel(source)
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** Closes a source that will not be read, or no further. */
export async function cancel(source: ByteSource): Promise<void> {
  // A Node stream's iterator is a generator too: returned before its start, it leaves the stream open.
  if (source instanceof Readable) source.destroy()
  else await source[Symbol.asyncIterator]().return?.()
}

/** The same bytes; throws `TooManyBytes` in place of the chunk that would pass `maxBytes`. */
export function limited(source: ByteSource, maxBytes: number): ByteSource {
  return derived([source], async function* () {
    let sizeBytes = 0
    for await (const chunk of source) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new TooManyBytes(maxBytes)
      yield chunk
    }
  })
}

/** Reads a source to its end, for what that tells of it. */
export async function drain(source: ByteSource): Promise<void> {
  for await (const chunk of source) source.giveBack?.(chunk)
}

/** Below this a buffer that grows takes this much at once. */
const MIN_GROWTH_BYTES = 4096

/**
 * Bytes gathered piece by piece, copied into memory that doubles when it is full. A list of the pieces would take 33 times
 * their size where each has one byte.
 */
export class ByteBuffer {
  #bytes = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  /** What was gathered; the buffer is empty afterwards. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length)
    const isMostlyEmpty = this.#length < this.#bytes.length / 2
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    // Who keeps the bytes would keep all of their memory.
    return isMostlyEmpty ? Buffer.from(taken) : taken
  }

  #grow(needed: number): void {
    const isFirst = this.#bytes.length === 0
    const grown = Buffer.allocUnsafe(
      isFirst ? needed : Math.max(needed, 2 * this.#bytes.length, MIN_GROWTH_BYTES),
    )
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}

/** All bytes in memory; throws `TooManyBytes` and cancels the source once more than `maxBytes` came. */
export async function collect(source: ByteSource, maxBytes: number): Promise<Buffer> {
  const bytes = new ByteBuffer()
  for await (const chunk of limited(source, maxBytes)) bytes.append(chunk)
  return bytes.take()
}

/** One source after the other; a source is opened only when the ones before it have ended. */
export function concat(sources: readonly ByteSource[]): ByteSource {
  return derived(sources, async function* () {
    const waiting = [...sources]
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) yield* next
    } finally {
      for (const unread of waiting) await cancel(unread)
    }
  })
}

/** A source of the given chunks. */
export async function* fromChunks(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** Reads a web stream, such as a `Request` body; cancelling the source cancels the stream, silent or not. */
export function fromWebStream(stream: ReadableStream<Uint8Array>): ByteSource {
  const reader = stream.getReader()
  const iterator = {
    async next(): Promise<IteratorResult<Uint8Array>> {
      const { value, done } = await reader.read()
      return done ? { done, value: undefined } : { done, value }
    },
    async return(): Promise<IteratorResult<Uint8Array>> {
      await reader.cancel()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** A web stream, such as a `Response` body, that asks the source only when its reader does; cancelling it closes the source. */
export function toWebStream(source: ByteSource): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
