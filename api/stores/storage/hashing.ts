import { createHash, type Hash } from 'node:crypto'
import { returnSlab, type Slab } from '../../platform/direct-io/index.ts'
import type { ByteSource } from './blob-store.ts'
import { CHUNK_BYTES, derived } from './bytes.ts'
import { openThreadHash, type ThreadHash } from './hash-thread.ts'
import type { HashAlgorithm } from './hash.worker.ts'
import { inSlabs } from './in-slabs.ts'

export interface Digest {
  /** Lower-case hex. */
  hex: string
  sizeBytes: number
}

export interface Hashing {
  /** The same bytes; read this in place of the source. */
  source: ByteSource
  /** Resolves once `source` was read to its end; rejects when it was not. */
  digest(): Promise<Digest>
}

/** Slabs at the thread while one is filled and the reader has another. */
const AT_THREAD = 2

/**
 * Counts and hashes a source while somebody else reads it, in slabs. What is longer than 1 MiB is hashed on a thread of
 * its own, while the reader writes and the source continues.
 */
export function hashing(source: ByteSource, algorithm: HashAlgorithm): Hashing {
  let digest: Promise<Digest> | undefined
  const run = async function* () {
    const hash = new SlabHash(algorithm)
    const hashed: Promise<Slab>[] = []
    try {
      for await (const slab of inSlabs(source)) {
        hashed.push(hash.update(slab))
        const oldest = hashed.length > AT_THREAD ? hashed.shift() : undefined
        if (oldest) yield await oldest
      }
      for (let next = hashed.shift(); next; next = hashed.shift()) yield await next
      digest = hash.digest()
      // The thread may fail before anybody asks for the digest.
      digest.catch(() => undefined)
    } finally {
      if (!digest) hash.drop()
    }
  }
  return {
    source: { ...derived([source], run), giveBack: returnSlab },
    async digest() {
      if (!digest) throw new Error('digest of a source that was not read to its end')
      return digest
    },
  }
}

/** A digest of slabs: at once where the first is not full, and so most often the last; else on the thread. */
class SlabHash {
  readonly #algorithm: HashAlgorithm
  readonly #hash: Hash
  #sizeBytes = 0
  #onThread: ThreadHash | undefined

  constructor(algorithm: HashAlgorithm) {
    this.#algorithm = algorithm
    this.#hash = createHash(algorithm)
  }

  /** Resolves with the slab when it is hashed. */
  update(slab: Slab): Promise<Slab> {
    const isHere = !this.#onThread && (this.#sizeBytes > 0 || slab.length < CHUNK_BYTES)
    this.#sizeBytes += slab.length
    if (isHere) {
      this.#hash.update(slab)
      return Promise.resolve(slab)
    }
    this.#onThread ??= openThreadHash(this.#algorithm)
    const hashed = this.#onThread.update(slab).then(() => slab)
    // The reader that asks for the slab gets its failure.
    hashed.catch(() => undefined)
    return hashed
  }

  async digest(): Promise<Digest> {
    return { hex: await (this.#onThread?.hex() ?? this.#hash.digest('hex')), sizeBytes: this.#sizeBytes }
  }

  drop(): void {
    this.#onThread?.drop()
  }
}
