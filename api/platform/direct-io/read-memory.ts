/** The longest chunk that a reader gets. */
const MOST_BYTES = 1024 * 1024

/**
 * What all readers of large objects together may hold beyond the least that each gets: two have chunks of 1 MiB, thirty of
 * 128 KiB. 500 clients that take one byte a second held 511 MiB before there was a limit (reliability.md §14 allows 64).
 */
const SHARED_BYTES = 8 * MOST_BYTES

/** What a reader gets in any case, as Node's own streams of files do. */
export const LEAST_BYTES = 64 * 1024

/** A reader takes at most this part of what is free, so that newcomers find some. */
const SHARE = 1 / 4

/** Kept for the next chunks, of each size. What is left to the collector takes some 80 MiB while 250 readers begin. */
const MAX_SPARE_BYTES = SHARED_BYTES / 4

let heldBytes = 0
/** By their size, which is a power of two. */
const spare = new Map<number, ArrayBufferLike[]>()

/** How long the chunk is that a reader has of some memory. */
const taken = new WeakMap<ArrayBufferLike, number>()

/** A reader that was neither read to its end nor returned holds nothing once it is collected. */
const abandoned = new FinalizationRegistry<{ bytes: number }>((own) => (heldBytes -= own.bytes))

function sizeFor(wanted: number): number {
  const most = Math.max(LEAST_BYTES, (SHARED_BYTES - heldBytes) * SHARE)
  let size = LEAST_BYTES
  while (size < wanted && size < MOST_BYTES && 2 * size <= most) size *= 2
  return size
}

/**
 * The memory that one reader's chunks take. It is large for few readers and small for many: those that are read slowly hold
 * theirs for long.
 */
export class ReadMemory {
  readonly #own = { bytes: 0 }

  constructor(reader: object) {
    abandoned.register(reader, this.#own)
  }

  /** Memory for the next chunk, of at most `wanted` bytes; it still holds earlier ones. */
  take(wanted: number): Uint8Array {
    const size = sizeFor(wanted)
    const kept = spare.get(size)?.pop()
    this.#own.bytes += size
    heldBytes += size
    const chunk = new Uint8Array(kept ?? new ArrayBuffer(size), 0, Math.min(wanted, size))
    taken.set(chunk.buffer, chunk.length)
    return chunk
  }

  /** The reader is done with a chunk; the code that has it may still read it. After `releaseAll` it changes nothing. */
  release({ buffer }: Uint8Array): void {
    const bytes = Math.min(buffer.byteLength, this.#own.bytes)
    this.#own.bytes -= bytes
    heldBytes -= bytes
  }

  releaseAll(): void {
    heldBytes -= this.#own.bytes
    this.#own.bytes = 0
  }
}

/** Takes a whole chunk that is read no more: another reader fills it again. */
export function reuse({ buffer, length }: Uint8Array): void {
  if (taken.get(buffer) !== length) return
  taken.delete(buffer)
  const size = buffer.byteLength
  const kept = spare.get(size) ?? []
  if (kept.length * size >= MAX_SPARE_BYTES) return
  kept.push(buffer)
  spare.set(size, kept)
}
