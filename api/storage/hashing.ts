import { createHash } from 'node:crypto'
import type { ByteSource } from './blob-store.ts'
import { CHUNK_BYTES, derived } from './bytes.ts'
import { type HashAlgorithm, type ThreadHash, openThreadHash } from './hash-thread.ts'

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

/**
 * Counts and hashes a source while somebody else reads it. More than 1 MiB is hashed on a thread of its own, while
 * the reader writes and the source goes on.
 */
export function hashing(source: ByteSource, algorithm: HashAlgorithm): Hashing {
  let digest: Promise<Digest> | undefined
  return {
    source: derived([source], async function* () {
      const hash = new StreamHash(algorithm)
      try {
        for await (const chunk of source) {
          await hash.update(chunk)
          yield chunk
        }
        digest = hash.digest()
        // The thread may fail before anybody asks for the digest.
        digest.catch(() => undefined)
      } finally {
        if (!digest) hash.drop()
      }
    }),
    async digest() {
      if (!digest) throw new Error('digest of a source that was not read to its end')
      return digest
    },
  }
}

/** Keeps the first MiB of chunks until it knows whether the stream is worth the thread. */
class StreamHash {
  readonly #algorithm: HashAlgorithm
  #sizeBytes = 0
  #kept: Uint8Array[] = []
  #onThread: ThreadHash | undefined

  constructor(algorithm: HashAlgorithm) {
    this.#algorithm = algorithm
  }

  async update(chunk: Uint8Array): Promise<void> {
    this.#sizeBytes += chunk.length
    if (this.#onThread) return this.#onThread.update(chunk)
    this.#kept.push(chunk)
    if (this.#sizeBytes <= CHUNK_BYTES) return
    this.#onThread = openThreadHash(this.#algorithm)
    for (const kept of this.#kept) await this.#onThread.update(kept)
    this.#kept = []
  }

  async digest(): Promise<Digest> {
    return { hex: await (this.#onThread?.hex() ?? this.#hashKept()), sizeBytes: this.#sizeBytes }
  }

  drop(): void {
    this.#onThread?.drop()
  }

  #hashKept(): string {
    const hash = createHash(this.#algorithm)
    for (const chunk of this.#kept) hash.update(chunk)
    return hash.digest('hex')
  }
}
