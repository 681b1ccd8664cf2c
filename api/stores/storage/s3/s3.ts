import type {
  BlobStat,
  BlobStore,
  ByteRange,
  ByteSource,
  DirectUploads,
  PresignOptions,
  PutOptions,
} from '../blob-store.ts'
import { requirePartNumber, requirePrefix } from '../guards.ts'
import { taking } from '../intake.ts'
import { S3Addresses } from './addresses.ts'
import { S3Bucket, type S3Options } from './bucket.ts'
import { copyObject } from './copy.ts'
import { hasCors, setCors } from './cors.ts'
import { toStoreError } from './errors.ts'
import { listObjects } from './list.ts'
import { S3Multiparts } from './multipart.ts'
import { signedParts } from './parts-signing.ts'
import { S3Probe } from './probe.ts'
import { S3Puts } from './put.ts'
import { readObject } from './reader.ts'
import { publicStat } from './stored.ts'
import { sweepMultiparts } from './abandoned-multiparts.ts'

const SWEEP_EVERY_MS = 6 * 3_600_000

export interface S3StoreOptions extends S3Options {
  /** Whether presigned URLs are of any use; without them every byte passes through the service. Yes, when left out. */
  canPresign?: boolean
  now?: () => Date
  /** Hears of sweeps that failed; they are tried again. */
  onSweepError?: (error: unknown) => void
}

/** Objects in a bucket of S3 or of a server that speaks its language. */
export class S3BlobStore implements BlobStore {
  readonly kind = 's3'
  readonly direct: DirectUploads
  readonly #bucket: S3Bucket
  readonly #addresses: S3Addresses
  readonly #probe: S3Probe
  readonly #multiparts: S3Multiparts
  readonly #puts: S3Puts
  readonly #now: () => Date
  readonly #canPresign: boolean
  readonly #sweeps: NodeJS.Timeout

  /** Asks nothing of the bucket yet. */
  constructor({ now = () => new Date(), onSweepError = () => undefined, ...options }: S3StoreOptions) {
    this.#canPresign = options.canPresign ?? true
    this.#bucket = new S3Bucket(options)
    this.#addresses = new S3Addresses(this.#bucket.client)
    this.#probe = new S3Probe(this.#bucket)
    this.#multiparts = new S3Multiparts(this.#bucket)
    this.direct = this.#directUploads()
    this.#puts = new S3Puts(this.#bucket, this.#probe, this.#multiparts)
    this.#now = now
    this.#sweeps = setInterval(() => void this.sweep().catch(onSweepError), SWEEP_EVERY_MS).unref()
  }

  async put(key: string, source: ByteSource, options: PutOptions = {}): Promise<BlobStat> {
    return taking(key, source, options, (chunks) => this.#puts.put(key, chunks, options))
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<ByteSource> {
    return readObject(this.#bucket, key, range, signal)
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    const stat = await this.#bucket.head(key)
    return stat && publicStat(stat)
  }

  async delete(key: string): Promise<void> {
    await this.#bucket.remove(key)
  }

  async *list(prefix: string): AsyncGenerator<BlobStat> {
    requirePrefix(prefix)
    yield* listObjects(this.#bucket, prefix)
  }

  async copy(from: string, to: string): Promise<BlobStat> {
    return copyObject(this.#bucket, { from, to })
  }

  async presignGet(key: string, options: PresignOptions): Promise<string | undefined> {
    return this.#signed(key, () => this.#addresses.sign('GET', this.#bucket.at(key), options))
  }

  localPath(): undefined {}
  async freeSpace(): Promise<undefined> {}

  async check(): Promise<void> {
    await this.#probe.check()
  }

  /** Lets scripts in browsers use signed addresses; replaces the bucket's CORS rules. */
  async setCors(): Promise<void> {
    await setCors(this.#bucket)
  }

  /** Whether scripts in browsers may use signed addresses. */
  async hasCors(): Promise<boolean> {
    return hasCors(this.#bucket)
  }

  /** Aborts multipart uploads that a crash left behind long ago; done by itself every few hours. */
  async sweep(): Promise<number> {
    return sweepMultiparts(this.#bucket, this.#multiparts, this.#now())
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeps)
    this.#bucket.close()
  }

  #directUploads(): DirectUploads {
    const multiparts = this.#multiparts
    return {
      create: (key) => multiparts.create(key),
      putPart: (key, uploadId, n, source, options = {}) => multiparts.put(key, uploadId, n, source, options),
      listParts: (key, uploadId) => multiparts.list(key, uploadId),
      complete: (key, uploadId, parts) => multiparts.complete(key, uploadId, parts),
      abort: (key, uploadId) => multiparts.abort(key, uploadId),
      presignPut: (key, options) =>
        this.#signed(key, () => this.#addresses.sign('PUT', this.#bucket.at(key), options)),
      presignParts: async (key, uploadId, count, { ttlS }) => {
        requirePartNumber(key, count)
        const target = { ...this.#bucket.at(key), UploadId: multiparts.idOf(key, uploadId) }
        return this.#signed(key, () => signedParts(this.#bucket.client, target, count, ttlS))
      },
    }
  }

  /** Signing needs only the credentials, which may come from a remote service. */
  async #signed<T>(key: string, sign: () => Promise<T>): Promise<T | undefined> {
    if (!this.#canPresign) return undefined
    try {
      return await sign()
    } catch (error) {
      throw toStoreError(key, error)
    }
  }
}
