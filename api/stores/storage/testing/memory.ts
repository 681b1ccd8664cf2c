import { randomUUID } from 'node:crypto'
import type {
  BlobStat,
  BlobStore,
  ByteRange,
  ByteSource,
  DirectUploads,
  PutOptions,
  StoredPart,
} from '../blob-store.ts'
import { CHUNK_BYTES } from '../bytes.ts'
import { taking } from '../intake.ts'
import { clampRange, requireKey, requirePartNumber, requirePrefix, requireRisingParts } from '../guards.ts'
import { StoreError } from '../store-error.ts'

interface MemoryObject {
  bytes: Buffer
  modifiedAt: Date
}

interface MemoryPart {
  etag: string
  bytes: Buffer
}

/** A blob store for tests: everything is in memory and gone with it. */
export class MemoryBlobStore implements BlobStore {
  readonly kind = 'memory'
  readonly #objects = new Map<string, MemoryObject>()
  readonly #multiparts = new Map<string, { key: string; parts: Map<number, MemoryPart> }>()
  readonly #now: () => Date

  constructor(now: () => Date = () => new Date()) {
    this.#now = now
  }

  async put(key: string, source: ByteSource, options: PutOptions = {}): Promise<BlobStat> {
    return this.#add(key, await taking(key, source, options, toBuffer))
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<ByteSource> {
    requireKey(key)
    signal?.throwIfAborted()
    const { bytes } = this.#get(key)
    const { start, end } = clampRange(key, bytes.length, range)
    return (async function* () {
      for (let at = start; at < end; at += CHUNK_BYTES) {
        signal?.throwIfAborted()
        yield Buffer.from(bytes.subarray(at, Math.min(at + CHUNK_BYTES, end)))
      }
    })()
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    requireKey(key)
    const object = this.#objects.get(key)
    return object && toStat(key, object)
  }

  async delete(key: string): Promise<void> {
    requireKey(key)
    this.#objects.delete(key)
  }

  async *list(prefix: string): AsyncGenerator<BlobStat> {
    requirePrefix(prefix)
    for (const [key, object] of this.#objects) if (key.startsWith(prefix)) yield toStat(key, object)
  }

  async copy(from: string, to: string): Promise<BlobStat> {
    requireKey(from)
    requireKey(to)
    return this.#add(to, this.#get(from).bytes)
  }

  /** As of a bucket, but without addresses of its own: bytes come through the service. */
  readonly direct: DirectUploads = {
    create: async (key) => {
      requireKey(key)
      const uploadId = randomUUID()
      this.#multiparts.set(uploadId, { key, parts: new Map() })
      return uploadId
    },
    putPart: async (key, uploadId, n, source, options = {}) => {
      const bytes = await taking(key, source, options, (chunks) => {
        requirePartNumber(key, n)
        this.#parts(key, uploadId)
        return toBuffer(chunks)
      })
      const part = { etag: randomUUID(), bytes }
      this.#parts(key, uploadId).set(n, part)
      return toStoredPart(n, part)
    },
    listParts: async (key, uploadId) => {
      const parts = [...this.#parts(key, uploadId)]
      return parts.map(([n, part]) => toStoredPart(n, part)).sort((a, b) => a.n - b.n)
    },
    complete: async (key, uploadId, parts) => {
      const stored = this.#parts(key, uploadId)
      requireRisingParts(key, parts)
      const bytes = parts.map(({ n, etag }) => {
        const part = stored.get(n)
        if (part?.etag !== etag) throw new StoreError('corrupt', key, `part ${n} is absent or another`)
        return part.bytes
      })
      const stat = this.#add(key, Buffer.concat(bytes))
      this.#multiparts.delete(uploadId)
      return stat
    },
    abort: async (key, uploadId) => {
      requireKey(key)
      if (this.#multiparts.get(uploadId)?.key === key) this.#multiparts.delete(uploadId)
    },
    presignPut: () => Promise.resolve(undefined),
    presignParts: () => Promise.resolve(undefined),
  }

  async presignGet(): Promise<undefined> {}
  localPath(): undefined {}
  async freeSpace(): Promise<undefined> {}
  async check(): Promise<void> {}
  async close(): Promise<void> {}

  #add(key: string, bytes: Buffer): BlobStat {
    if (this.#objects.has(key)) throw new StoreError('exists', key, 'the key is taken')
    const object = { bytes, modifiedAt: this.#now() }
    this.#objects.set(key, object)
    return toStat(key, object)
  }

  #get(key: string): MemoryObject {
    const object = this.#objects.get(key)
    if (!object) throw new StoreError('missing', key, 'no such object')
    return object
  }

  #parts(key: string, uploadId: string): Map<number, MemoryPart> {
    requireKey(key)
    const multipart = this.#multiparts.get(uploadId)
    if (multipart?.key !== key) throw new StoreError('missing', key, `no multipart upload ${uploadId}`)
    return multipart.parts
  }
}

async function toBuffer(chunks: ByteSource): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

function toStat(key: string, { bytes, modifiedAt }: MemoryObject): BlobStat {
  return { key, sizeBytes: bytes.length, modifiedAt }
}

function toStoredPart(n: number, { etag, bytes }: MemoryPart): StoredPart {
  return { n, etag, sizeBytes: bytes.length }
}
