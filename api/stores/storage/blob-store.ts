/** What a blob store says of one stored object. */
export interface BlobStat {
  key: string
  sizeBytes: number
  modifiedAt: Date
}

/** A stored part of a multipart upload. `n` counts from 1 to 10 000, `etag` is opaque and unquoted. */
export interface StoredPart {
  n: number
  etag: string
  sizeBytes: number
}

/**
 * Bytes on their way: chunks of any size, read once. A yielded chunk belongs to the reader: a source never writes
 * to it again, since writes and hashes still use it while the next one is made. The holder of a source reads it to
 * its end or calls `return()` on its iterator; a stored object's file stays open until then.
 */
export interface ByteSource extends AsyncIterable<Uint8Array> {
  /**
   * Takes a whole chunk back that its reader is done with, to fill it again. Sources that win nothing by it lack it;
   * where it is called, fresh memory for every chunk cost a quarter of a download's CPU time.
   */
  giveBack?(chunk: Uint8Array): void
  /**
   * The same bytes in slabs, asked for in place of the source's own chunks by code that passes them on: sockets and files
   * fill them directly. They are large ones where asked and to be had. Closing the source closes this, too.
   */
  inSlabs?(areLarge?: boolean): AsyncIterable<Uint8Array>
}

export interface PutOptions {
  /** Declared length; the put fails with `corrupt` and leaves nothing when the source differs. */
  sizeBytes?: number
  /**
   * Leaves the bytes out of the page cache where a disk can. By default only objects that pass once (`passesOnce`) are;
   * the others stay in memory for the downloads that follow.
   */
  isUncached?: boolean
  /** Aborting rejects with the signal's reason at once, also while the source is silent. */
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
 * Uploads that senders put into the store by themselves. Calls about a multipart upload reject with `missing` when its
 * id is unknown, completed or of another key.
 */
export interface DirectUploads {
  /** Begins a multipart upload; answers its id. */
  create(key: string): Promise<string>
  /** Replaces an earlier part `n`. For senders who cannot reach the store. */
  putPart(
    key: string,
    uploadId: string,
    n: number,
    source: ByteSource,
    options?: PutOptions,
  ): Promise<StoredPart>
  /** By rising `n`. */
  listParts(key: string, uploadId: string): Promise<StoredPart[]>
  /**
   * Joins the parts, which are given by rising `n`; S3 wants every part but the last to have at least 5 MiB.
   * No parts, a wrong order, a wrong ETag or an absent part reject with `corrupt`; every rejection keeps the parts.
   */
  complete(key: string, uploadId: string, parts: { n: number; etag: string }[]): Promise<BlobStat>
  /** Aborting what does not exist succeeds. */
  abort(key: string, uploadId: string): Promise<void>
  /** URL that takes the object; `undefined` where bytes have to pass the service. */
  presignPut(key: string, options: PresignOptions): Promise<string | undefined>
  /** One URL for each of the parts 1 to `count` of a multipart upload. */
  presignParts(
    key: string,
    uploadId: string,
    count: number,
    options: PresignOptions,
  ): Promise<string[] | undefined>
}

/**
 * Where bytes live. Keys come from `paths.ts` alone and are never reused, so objects are immutable: writing to a
 * key that is taken rejects with `exists` and changes nothing.
 * Its own errors are `StoreError`s; the error of a source and the reason of a signal pass through unchanged.
 * A put, copy or completion that resolved survives kill -9 and power loss; one that rejected left nothing visible,
 * save that `transient` may hide a success: `stat` tells, and `exists` on the next try is its echo.
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
  /** Within the store; 5 GiB at most, which is what S3 copies by one request. */
  copy(from: string, to: string): Promise<BlobStat>

  /** URL that serves the object to its bearer; `undefined` means: stream it yourself. */
  presignGet(key: string, options: PresignOptions): Promise<string | undefined>
  /** Uploads that pass the service by; absent where a store has no addresses of its own. */
  readonly direct?: DirectUploads | undefined

  /** Path of the stored file on this machine, where there is one; for hard links and zero-copy reads, never for writing. */
  localPath(key: string): string | undefined
  /** Free and total bytes of the disk beneath, where that means something. */
  freeSpace(): Promise<{ freeBytes: number; totalBytes: number } | undefined>
  /** Resolves when the store can be read and written now. */
  check(): Promise<void>
  close(): Promise<void>
}
