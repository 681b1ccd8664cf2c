import type { ByteSource } from './blob-store.ts'

/**
 * Memory of a slab: with 1 MiB an upload by chunks takes 0.5 CPU seconds per GiB more, for each slab goes through threads
 * and disk some eight times.
 */
export const SLAB_BYTES = 2 * 1024 * 1024

/**
 * 2 MiB of memory that begins at a page, so that a disk takes bytes out of it and puts bytes into it by itself, and that
 * all threads share: a message with a view of it copies nothing. The code that fills a slab owns it until it passes the
 * slab on, and does not write to it afterwards. A slab that is never returned is collected, and costs new memory; a returned
 * one serves the next stream.
 */
export type Slab = Uint8Array

/** What a disk's largest blocks are long (open(2), O_DIRECT). */
export const BLOCK_BYTES = 4096

/** What is used of it here; Node's own types leave it to a browser's. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => { buffer: SharedArrayBuffer }
}

/** Pages of WebAssembly have 64 KiB (WebAssembly core specification, memory instances). */
const WASM_PAGE_BYTES = 64 * 1024

/**
 * Kept for the next streams: 160 MiB, what 16 containers and the files made of them have on their way at once. The
 * collector does not see how large such memory is, so with 32 MiB it let 300 of it lie about during eight sessions.
 */
const MAX_SPARE = (160 * 1024 * 1024) / SLAB_BYTES

const spare = new Set<ArrayBufferLike>()
const memories = new WeakSet<ArrayBufferLike>()
const alignedMemories = new WeakSet<ArrayBufferLike>()

/** A slab for the caller alone; it still holds earlier bytes. */
export function takeSlab(): Slab {
  const [kept] = spare
  if (kept) spare.delete(kept)
  return new Uint8Array(kept ?? freshMemory())
}

/** Takes the slab back that a chunk lies in. Other memory is left to the collector. */
export function returnSlab({ buffer }: Uint8Array): void {
  if (memories.has(buffer) && spare.size < MAX_SPARE) spare.add(buffer)
}

/** Whether a disk can take the bytes as they lie. */
export function isAligned({ buffer, byteOffset }: Uint8Array): boolean {
  return byteOffset % BLOCK_BYTES === 0 && alignedMemories.has(buffer)
}

/**
 * Copies bytes to `at` of others, either of which may be shared. There `set` goes byte by byte unless both lie alike, which
 * takes ten times as long as this: `fill` with as many bytes as there is room for is one memcpy.
 */
export function copyBytes(to: Uint8Array, at: number, bytes: Uint8Array): void {
  if (bytes.length > 0) Buffer.from(to.buffer, to.byteOffset, to.length).fill(bytes, at, at + bytes.length)
}

/** Node gives memory that begins at a page for WebAssembly alone. */
function freshMemory(): ArrayBufferLike {
  const memory = wasmMemory()
  if (memory) alignedMemories.add(memory)
  const buffer = memory ?? new SharedArrayBuffer(SLAB_BYTES)
  memories.add(buffer)
  return buffer
}

function wasmMemory(): ArrayBufferLike | undefined {
  const pages = SLAB_BYTES / WASM_PAGE_BYTES
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer
  } catch (error) {
    // Each reserves 10 GiB of addresses, which `ulimit -v` may forbid.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * The bytes of a source in slabs, full but for the last, and for the first of a source that begins within a block. The
 * reader gives each back by `returnSlab`. Sources that fill slabs by themselves do; the chunks of others are copied.
 */
export async function* inSlabs(source: ByteSource): AsyncGenerator<Slab> {
  yield* source.inSlabs?.() ?? copied(source)
}

async function* copied(source: ByteSource): AsyncGenerator<Slab> {
  let slab = takeSlab()
  let filled = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(slab.length - filled, chunk.length - at)
      copyBytes(slab, filled, chunk.subarray(at, at + taken))
      filled += taken
      at += taken
      if (filled < slab.length) continue
      yield slab
      slab = takeSlab()
      filled = 0
    }
    source.giveBack?.(chunk)
  }
  if (filled > 0) yield slab.subarray(0, filled)
  else returnSlab(slab)
}
