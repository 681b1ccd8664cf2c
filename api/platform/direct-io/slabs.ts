import { alignedMemory } from './aligned-memory.ts'
import { directIo } from './switch.ts'

/** Memory of a small slab, which there are as many of as streams need. */
export const SLAB_BYTES = 2 * 1024 * 1024

/**
 * Memory of a large slab. Each slab goes through threads and disk some eight times in an upload by chunks: slabs of 1 MiB
 * take it 0.5 CPU seconds per GiB more than those of 2 MiB, and those of 8 MiB 0.4 less.
 */
export const LARGE_SLAB_BYTES = 8 * 1024 * 1024

/**
 * Large slabs that there are at once: one session has seven on their way. Eight sessions with large ones alone took a GiB
 * of memory.
 */
const MAX_LARGE = 8

/**
 * 2 or 8 MiB of memory that begins at a page, so that a disk takes bytes out of it and puts bytes into it by itself, and that
 * all threads share: a message with a view of it copies nothing. The code that fills a slab owns it until it passes the
 * slab on, and does not write to it afterwards. A slab that is never returned is collected, and costs new memory; a returned
 * one serves the next stream.
 */
export type Slab = Uint8Array

/** What a disk's largest blocks are long (open(2), O_DIRECT). */
export const BLOCK_BYTES = 4096

/**
 * Small slabs kept for the next streams: 160 MiB, what 16 containers and the files made of them have on their way at once. The
 * collector does not see how large such memory is, so with 32 MiB it let 300 of it lie about during eight sessions.
 */
const MAX_SPARE = (160 * 1024 * 1024) / SLAB_BYTES

const spare = new Set<ArrayBufferLike>()
const spareLarge = new Set<ArrayBufferLike>()
const memories = new WeakSet<ArrayBufferLike>()
const alignedMemories = new WeakSet<ArrayBufferLike>()

let large = 0
/** A large slab that is never returned is counted until it is collected. */
const lostLarge = new FinalizationRegistry<undefined>(() => large--)

/**
 * A slab for the caller alone; it still holds earlier bytes. It is a large one if that many bytes are wanted and one is to
 * be had: its length says so.
 */
export function takeSlab(wantedBytes = SLAB_BYTES): Slab {
  const isLarge = wantedBytes > SLAB_BYTES && (spareLarge.size > 0 || large < MAX_LARGE)
  const [kept] = isLarge ? spareLarge : spare
  if (kept) (isLarge ? spareLarge : spare).delete(kept)
  return new Uint8Array(kept ?? freshMemory(isLarge))
}

/** Takes the slab back that a chunk lies in. Other memory is left to the collector. */
export function returnSlab({ buffer }: Uint8Array): void {
  if (!memories.has(buffer)) return
  if (buffer.byteLength === LARGE_SLAB_BYTES) spareLarge.add(buffer)
  else if (spare.size < MAX_SPARE) spare.add(buffer)
}

/** The next slabs are of fresh memory. */
export function forgetSpareSlabs(): void {
  for (const buffer of spareLarge) lostLarge.unregister(buffer)
  large -= spareLarge.size
  spareLarge.clear()
  spare.clear()
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

function freshMemory(isLarge: boolean): ArrayBufferLike {
  const sizeBytes = isLarge ? LARGE_SLAB_BYTES : SLAB_BYTES
  const memory = directIo.isOn ? alignedMemory(sizeBytes) : undefined
  if (memory) alignedMemories.add(memory)
  const buffer = memory ?? new SharedArrayBuffer(sizeBytes)
  memories.add(buffer)
  if (isLarge) {
    large++
    lostLarge.register(buffer, undefined, buffer)
  }
  return buffer
}
