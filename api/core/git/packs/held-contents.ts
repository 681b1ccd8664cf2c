import type { FileHandle } from 'node:fs/promises'
import { CHUNK_BYTES, collect, type ByteRange, type ByteSource } from '../../../stores/storage/index.ts'
import { inflateStream, type DeflatedSpan } from './inflate.ts'

/** A content, and how many read it. */
interface Held {
  readers: number
  bytes?: Promise<Buffer>
}

/**
 * Contents that several read at the same moment: all of them then read the same bytes, where each would fill buffers of
 * 2 MiB of its own. Beyond `maxBytes` in all, and for a single reader, there is nothing to share.
 */
export class HeldContents {
  readonly #maxBytes: number
  readonly #held = new Map<string, Held>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Of the contents that are held: their bytes in all. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts a reader until `done`. `bytes` are there for it when another reads the same and there is room. */
  join(
    key: string,
    sizeBytes: number,
    load: () => Promise<Buffer>,
  ): { bytes: Promise<Buffer> | undefined; done(): void } {
    const held = this.#held.get(key) ?? { readers: 0 }
    this.#held.set(key, held)
    held.readers++
    if (held.bytes === undefined && held.readers > 1 && this.#bytes + sizeBytes <= this.#maxBytes) {
      this.#bytes += sizeBytes
      held.bytes = load()
    }
    return { bytes: held.bytes, done: () => this.#leave(key, held, sizeBytes) }
  }

  #leave(key: string, held: Held, sizeBytes: number): void {
    if (--held.readers > 0) return
    this.#held.delete(key)
    if (held.bytes !== undefined) this.#bytes -= sizeBytes
  }
}

/** As `inflateStream`, of bytes that all share who read this content at the moment. */
export async function* sharedStream(
  held: HeldContents,
  key: string,
  { file, span }: { file: FileHandle; span: DeflatedSpan },
  { offset, length }: ByteRange,
): ByteSource {
  let isLoading = false
  const load = () => {
    isLoading = true
    return collect(inflateStream(file, span, 0, span.sizeBytes), span.sizeBytes)
  }
  const { bytes, done } = held.join(key, span.sizeBytes, load)
  try {
    if (!bytes) return yield* inflateStream(file, span, offset, offset + length)
    if (!isLoading) await file.close()
    const content = (await bytes).subarray(offset, offset + length)
    for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES)
  } finally {
    done()
  }
}
