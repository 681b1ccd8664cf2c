import { createHash } from 'node:crypto'
import type { ByteSource } from './blob-store.ts'
import { derived } from './bytes.ts'

export interface Digest {
  /** Lower-case hex. */
  hex: string
  sizeBytes: number
}

export interface Hashing {
  /** The same chunks; read this in place of the source. */
  source: ByteSource
  /** Resolves once `source` was read to its end; rejects when it was not. */
  digest(): Promise<Digest>
}

/** Counts and hashes a source while somebody else reads it. */
export function hashing(source: ByteSource, algorithm: 'sha256' | 'sha1'): Hashing {
  const hash = createHash(algorithm)
  let sizeBytes = 0
  let isRead = false
  return {
    source: derived([source], async function* () {
      for await (const chunk of source) {
        sizeBytes += chunk.length
        hash.update(chunk)
        yield chunk
      }
      isRead = true
    }),
    async digest() {
      if (!isRead) throw new Error('digest of a source that was not read to its end')
      return { hex: hash.digest('hex'), sizeBytes }
    },
  }
}
