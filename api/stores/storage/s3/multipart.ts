import { createHash, randomUUID } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { BlobStat, ByteSource, PutOptions, StoredPart } from '../blob-store.ts'
import { requireKey, requirePartNumber, requireRisingParts } from '../guards.ts'
import { taking } from '../intake.ts'
import type { Attempt } from './attempts.ts'
import { PUT_ID, type S3Bucket } from './bucket.ts'
import { isUnsupported, toStoreError } from './errors.ts'
import { Spooler, type Spooled } from './spool.ts'
import { requireStored, taken } from './stored.ts'
import { StoreError } from '../store-error.ts'

/** Most bytes of one part (Multipart upload limits, Amazon S3 User Guide). */
const MAX_PART_BYTES = 5 * 2 ** 30

/**
 * Multipart uploads. Our id of one is `{putId}.{fingerprint of the key}.{id of S3}`: the first tells our own completion
 * from another's object, the second binds it to its key, which not every server does.
 */
export class S3Multiparts {
  readonly #bucket: S3Bucket
  /** Whether completions may ask the server to refuse a taken key; servers that do not know this say so. */
  #isConditional = true

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket
  }

  async create(key: string): Promise<string> {
    const putId = randomUUID()
    const request = new CreateMultipartUploadCommand({
      ...this.#bucket.at(key),
      Metadata: { [PUT_ID]: putId },
    })
    const { UploadId } = await this.#bucket.call(key, (client, attempt) => client.send(request, attempt))
    if (!UploadId) throw new StoreError('transient', key, 'a multipart upload without an id')
    return `${putId}.${fingerprint(key)}.${UploadId}`
  }

  async put(
    key: string,
    uploadId: string,
    n: number,
    source: ByteSource,
    options: PutOptions,
  ): Promise<StoredPart> {
    return taking(key, source, options, async (chunks) => {
      requirePartNumber(key, n)
      this.idOf(key, uploadId)
      const spooler = new Spooler(key, chunks)
      try {
        const spooled = await spooler.take(MAX_PART_BYTES)
        // Right behind its last byte a source may still tell that it was cut.
        if (await spooler.isEnded()) return await this.send(key, uploadId, n, spooled, options.signal)
        await spooled.drop()
        throw new StoreError('permanent', key, `a part of more than ${MAX_PART_BYTES} bytes`)
      } finally {
        await spooler.close()
      }
    })
  }

  /** Sends a part and drops its spooled bytes. */
  async send(
    key: string,
    uploadId: string,
    n: number,
    spooled: Spooled,
    signal: AbortSignal | undefined,
  ): Promise<StoredPart> {
    const { sizeBytes, md5: ContentMD5 } = spooled
    try {
      const request = {
        ...this.#bucket.at(key),
        UploadId: this.idOf(key, uploadId),
        PartNumber: n,
        ContentLength: sizeBytes,
        ContentMD5,
      }
      const send = ({ touch }: Attempt) => new UploadPartCommand({ ...request, Body: spooled.body(touch) })
      const { ETag } = await this.#bucket.call(
        key,
        (client, attempt) => client.send(send(attempt), attempt),
        { signal },
      )
      return { n, etag: bare(key, ETag), sizeBytes }
    } finally {
      await spooled.drop()
    }
  }

  async list(key: string, uploadId: string): Promise<StoredPart[]> {
    const request = { ...this.#bucket.at(key), UploadId: this.idOf(key, uploadId) }
    const found: StoredPart[] = []
    for (let marker: string | undefined; ;) {
      const command = new ListPartsCommand({ ...request, PartNumberMarker: marker })
      const page = await this.#bucket.call(key, (client, attempt) => client.send(command, attempt))
      for (const { PartNumber = 0, ETag, Size = 0 } of page.Parts ?? [])
        found.push({ n: PartNumber, etag: bare(key, ETag), sizeBytes: Size })
      if (!page.IsTruncated) return found.sort((a, b) => a.n - b.n)
      if (!page.NextPartNumberMarker || page.NextPartNumberMarker === marker)
        throw new StoreError('transient', key, 'a list of parts that does not go on')
      marker = page.NextPartNumberMarker
    }
  }

  /** Joins parts; `sizeBytes` is what they must amount to, where it is known. */
  async complete(
    key: string,
    uploadId: string,
    parts: { n: number; etag: string }[],
    sizeBytes?: number,
  ): Promise<BlobStat> {
    const id = this.idOf(key, uploadId)
    requireRisingParts(key, parts)
    return this.#bucket.exclusively(key, async () => {
      if (await this.#bucket.head(key)) {
        await this.list(key, uploadId)
        throw taken(key)
      }
      const Parts = parts.map(({ n, etag }) => ({ PartNumber: n, ETag: `"${etag}"` }))
      const request = { ...this.#bucket.at(key), UploadId: id, MultipartUpload: { Parts } }
      await this.#bucket.call(key, async (_client, attempt) => this.#join(key, uploadId, request, attempt))
      return requireStored(this.#bucket, key, sizeBytes)
    })
  }

  async abort(key: string, uploadId: string): Promise<void> {
    requireKey(key)
    const id = idFor(key, uploadId)
    if (id !== undefined) await this.abortAt(key, id)
  }

  /** Ends an upload by the id that S3 gave it. */
  async abortAt(key: string, id: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.#bucket.at(key), UploadId: id })
    await this.#bucket.call(key, async (client, attempt) => {
      try {
        await client.send(command, attempt)
      } catch (error) {
        if (toStoreError(key, error).kind !== 'missing') throw error
      }
    })
  }

  /** The id that S3 knows; `missing` for one that is not of this key. */
  idOf(key: string, uploadId: string): string {
    requireKey(key)
    const id = idFor(key, uploadId)
    if (id === undefined) throw new StoreError('missing', key, `no multipart upload ${uploadId}`)
    return id
  }

  async #join(
    key: string,
    uploadId: string,
    request: CompleteMultipartUploadCommand['input'],
    attempt: Attempt,
  ): Promise<void> {
    const condition = this.#isConditional ? { IfNoneMatch: '*' } : {}
    try {
      await this.#bucket.client.send(
        new CompleteMultipartUploadCommand({ ...request, ...condition }),
        attempt,
      )
    } catch (error) {
      if (this.#isConditional && isUnsupported(error)) {
        this.#isConditional = false
        return this.#join(key, uploadId, request, attempt)
      }
      const { kind } = toStoreError(key, error)
      // An earlier try may have succeeded unheard; then the upload is gone and its object is there.
      const mayBeDone = attempt.isRepeat && (kind === 'missing' || kind === 'exists')
      const putId = uploadId.slice(0, uploadId.indexOf('.'))
      if (mayBeDone && (await this.#bucket.head(key))?.putId === putId) return
      throw error
    }
  }
}

function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

function idFor(key: string, uploadId: string): string | undefined {
  const [, print, id] = /^[0-9a-f-]{36}\.([0-9a-f]{16})\.(.+)$/.exec(uploadId) ?? []
  return print === fingerprint(key) ? id : undefined
}

function bare(key: string, etag: string | undefined): string {
  if (!etag) throw new StoreError('transient', key, 'a part without an ETag')
  return etag.replace(/^"(.*)"$/, '$1')
}
