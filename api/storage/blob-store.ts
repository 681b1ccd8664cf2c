/** What a blob store says of one stored object. */
export interface BlobStat {
  key: string
  sizeBytes: number
  modifiedAt: Date
}

/** A stored part of a multipart upload. `etag` is opaque and unquoted. */
export interface StoredPart {
  n: number
  etag: string
  sizeBytes: number
}

/** Bytes on their way in: chunks of any size, read once. */
export type ByteSource = AsyncIterable<Uint8Array>

export interface PutOptions {
  /** Declared length; the put fails with `corrupt` and leaves nothing when the source differs. */
  sizeBytes?: number
  signal?: AbortSignal
}

export interface ByteRange {
  /** First byte, from 0. */
  offset: number
  /** Number of bytes; a range that runs past the end is a short read, one that starts there is empty. */
  length: number
}

export interface PresignOptions {
  ttlS: number
  contentType?: string
  contentDisposition?: string
}

/**
 * Where bytes live. Keys come from `paths.ts` alone and are never reused, so objects are immutable.
 * Errors are `StoreError`s of three kinds: `missing` (surely absent), `transient` (unsure; try again), `permanent`.
 * A put, copy or completion that resolved survives kill -9 and power loss; one that rejected left nothing visible.
 */
export interface BlobStore {
  /** `fs` and `memory` have no presigned URLs. */
  readonly kind: 'fs' | 's3' | 'memory'
  put(key: string, source: ByteSource, options?: PutOptions): Promise<BlobStat>
  /** Streams an object or one range of it in chunks of about 1 MiB. Rejects with `missing` before the first byte. */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<ByteSource>
  /** `undefined` only when the object surely does not exist. */
  stat(key: string): Promise<BlobStat | undefined>
  /** Deleting what does not exist succeeds. */
  delete(key: string): Promise<void>
  /** Objects whose key starts with `prefix` (plain string prefix: `a` finds `ab/c`), in unspecified order. */
  list(prefix: string): AsyncIterable<BlobStat>
  copy(from: string, to: string): Promise<BlobStat>

  createMultipart(key: string): Promise<string>
  putPart(key: string, uploadId: string, n: number, source: ByteSource, options?: PutOptions): Promise<StoredPart>
  listParts(key: string, uploadId: string): Promise<StoredPart[]>
  /** Joins the parts in the order given; a wrong ETag or a missing part rejects with `corrupt` and keeps the parts. */
  completeMultipart(key: string, uploadId: string, parts: { n: number; etag: string }[]): Promise<BlobStat>
  abortMultipart(key: string, uploadId: string): Promise<void>

  /** URL that serves the object to whoever holds it; `undefined` means: stream it yourself. */
  presignGet(key: string, options: PresignOptions): Promise<string | undefined>
  presignPut(key: string, options: PresignOptions): Promise<string | undefined>
  presignPart(key: string, uploadId: string, n: number, options: PresignOptions): Promise<string | undefined>

  /** Path of the stored file on this machine, where there is one; for hard links and zero-copy reads, never for writing. */
  localPath(key: string): string | undefined
  /** Free and total bytes of the disk beneath, where that means something. */
  freeSpace(): Promise<{ freeBytes: number; totalBytes: number } | undefined>
  /** Resolves when the store can be read and written now. */
  check(): Promise<void>
  close(): Promise<void>
}
