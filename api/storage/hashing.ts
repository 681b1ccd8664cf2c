import { createHash, type Hash } from 'node:crypto'
import type { ByteSource } from './blob-store.ts'
import { CHUNK_BYTES, derived } from './bytes.ts'
import { type HashAlgorithm, type ThreadHash, openThreadHash } from './hash-thread.ts'

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

/** Memory of 1 MiB. It goes to the hashing thread and on to the reader, who gives it back to be filled again. */
export type Slab = Uint8Array<ArrayBuffer>

/** Slabs at the thread while one is filled and the reader has another. */
const AT_THREAD = 2

/**
 * Counts and hashes a source while somebody else reads it, in chunks of 1 MiB and a last one. More than that is hashed
 * on a thread of its own, while the reader writes and the source goes on.
 */
export function hashing(source: ByteSource, algorithm: HashAlgorithm): Hashing {
  let digest: Promise<Digest> | undefined
  const spare: Slab[] = []
  const run = async function* () {
    const hash = new SlabHash(algorithm)
    const hashed: Promise<Uint8Array>[] = []
    try {
      for await (const slab of inSlabs(source, () => spare.pop() ?? new Uint8Array(CHUNK_BYTES))) {
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
  const giveBack = givingBackTo(spare)
  return {
    source: { ...derived([source], run), giveBack },
    async digest() {
      if (!digest) throw new Error('digest of a source that was not read to its end')
      return digest
    },
  }
}

/** A source's `giveBack` that keeps the whole memory of a chunk among `spare`. */
export const givingBackTo =
  (spare: Slab[]) =>
  ({ buffer }: Uint8Array): void => {
    if (buffer instanceof ArrayBuffer) spare.push(new Uint8Array(buffer))
  }

/** Copies a source into slabs, full but for the last. Its own chunks are done with at once. */
export async function* inSlabs(source: ByteSource, take: () => Slab): AsyncGenerator<Slab> {
  let slab = take()
  let filled = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(CHUNK_BYTES - filled, chunk.length - at)
      slab.set(chunk.subarray(at, at + taken), filled)
      filled += taken
      at += taken
      if (filled < CHUNK_BYTES) continue
      yield slab
      slab = take()
      filled = 0
    }
    source.giveBack?.(chunk)
  }
  if (filled > 0) yield slab.subarray(0, filled)
}

/** A digest of slabs: of one that is not full at once, of more on the thread. */
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
  update(slab: Slab): Promise<Uint8Array> {
    this.#sizeBytes += slab.length
    if (!this.#onThread && slab.length < CHUNK_BYTES) {
      this.#hash.update(slab)
      return Promise.resolve(slab)
    }
    this.#onThread ??= openThreadHash(this.#algorithm)
    const hashed = this.#onThread.update(slab)
    // Whoever asks for the slab meets its failure.
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
