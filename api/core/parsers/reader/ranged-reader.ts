import { open } from 'node:fs/promises'

/** Most bytes of one read. */
export const MAX_READ_BYTES = 1024 * 1024

/** A stored file that is read in ranges, wherever it lies. */
export interface RangedReader {
  readonly sizeBytes: number
  /** The bytes of a range; fewer only at the end of the file. `length` is at most `MAX_READ_BYTES`. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>
}

/** Reads ranges of what is in memory. */
export function bytesReader(bytes: Uint8Array): RangedReader {
  return {
    sizeBytes: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** Opens a range of stored bytes, as `open` of a large file or `read` of a blob store does. */
type OpenRange = (
  range: { offset: number; length: number },
  signal?: AbortSignal,
) => Promise<AsyncIterable<Uint8Array>>

/** Reads ranges of what a store streams: a large file (`openObject`) or a key of the blob store. */
export function sourceReader(sizeBytes: number, openRange: OpenRange): RangedReader {
  return {
    sizeBytes,
    read: async (offset, length, signal) => {
      const wanted = Math.min(length, sizeBytes - offset, MAX_READ_BYTES)
      if (wanted <= 0) return new Uint8Array(0)
      const bytes = new Uint8Array(wanted)
      let filled = 0
      for await (const chunk of await openRange({ offset, length: wanted }, signal)) {
        const part = chunk.subarray(0, wanted - filled)
        bytes.set(part, filled)
        filled += part.length
        if (filled === wanted) break
      }
      return bytes.subarray(0, filled)
    },
  }
}

/** Reads ranges of a file on this machine; the caller closes it. */
export async function fileReader(path: string): Promise<RangedReader & { close(): Promise<void> }> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  return {
    sizeBytes: size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
      return bytes.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}
