import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { AnswerBody } from '../../../platform/direct-io/index.ts'
import type { ByteRange, ByteSource } from '../blob-store.ts'
import { fromChunks } from '../bytes.ts'
import { clampRange } from '../guards.ts'
import { backOff } from './attempts.ts'
import { type ObjectBody, StreamBody } from './body.ts'
import type { S3Bucket } from './bucket.ts'
import { hasStatus, Stalled, toStoreError } from './errors.ts'
import { StoreError } from '../store-error.ts'

/** An answer whose bytes have begun to come. */
interface Opened {
  body: Readable
  sizeBytes: number
}

/**
 * Streams an object or a range of it. Rejects with `missing` before the first byte. A connection that breaks, ends early
 * or goes silent is followed by another from where it stopped, as often in a row as the bucket's patience allows.
 */
export async function readObject(
  bucket: S3Bucket,
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<ByteSource> {
  bucket.at(key)
  signal?.throwIfAborted()
  // Where the object ends is not known yet; this only refuses what is no range.
  const { start, end } = clampRange(key, Number.MAX_SAFE_INTEGER, range)
  if (start === end) {
    if (!(await bucket.head(key))) throw new StoreError('missing', key, 'no such object')
    return fromChunks()
  }
  const first = await open(bucket, key, { start, end: range && end }, signal)
  if (!first) return fromChunks()
  return new ObjectReader(bucket, key, start, first, signal)
}

/** Asks for the bytes from `start` on; `undefined` when the object ends before them. */
async function open(
  bucket: S3Bucket,
  key: string,
  { start, end }: { start: number; end: number | undefined },
  signal: AbortSignal | undefined,
): Promise<Opened | undefined> {
  const isWhole = start === 0 && end === undefined
  const Range = isWhole ? undefined : `bytes=${start}-${end === undefined ? '' : end - 1}`
  const request = new GetObjectCommand({ ...bucket.at(key), Range })
  return bucket.call(
    key,
    async (client, attempt) => {
      try {
        const { Body, ContentLength, ContentRange } = await client.send(request, attempt)
        const body = Body as unknown as Readable
        // The reader gets errors; until it reads, Node must not take them for unhandled.
        body.on('error', () => undefined)
        if (ContentLength !== undefined && isRangeFrom(start, isWhole, ContentRange))
          return { body, sizeBytes: ContentLength }
        body.destroy()
        throw new StoreError('transient', key, `answered ${ContentRange ?? 'no range'} to ${Range ?? 'all'}`)
      } catch (error) {
        if (hasStatus(error, 416)) return undefined
        throw error
      }
    },
    { signal },
  )
}

function isRangeFrom(start: number, isWhole: boolean, range: string | undefined): boolean {
  return isWhole || (range?.startsWith(`bytes ${start}-`) ?? false)
}

class ObjectReader implements ByteSource, AsyncIterator<Uint8Array> {
  readonly #bucket: S3Bucket
  readonly #key: string
  readonly #end: number
  readonly #isDirect: boolean
  readonly #signal: AbortSignal | undefined
  readonly #abort = () => this.#body.destroy()
  readonly #stall: NodeJS.Timeout
  #at: number
  #body: ObjectBody
  #failures = 0
  #isWaiting = false
  #isClosed = false

  constructor(bucket: S3Bucket, key: string, start: number, first: Opened, signal: AbortSignal | undefined) {
    this.#bucket = bucket
    this.#key = key
    this.#at = start
    this.#end = start + first.sizeBytes
    this.#signal = signal
    const { stallMs } = bucket.patience
    // One timer for all bytes: 0.3 µs each time they come.
    this.#stall = setTimeout(() => this.#isWaiting && this.#body.destroy(new Stalled(stallMs)), stallMs)
    this.#isDirect = first.sizeBytes >= bucket.directBytes
    this.#body = this.#bodyOf(first)
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  giveBack(chunk: Uint8Array): void {
    this.#body.giveBack?.(chunk)
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      while (!this.#isClosed && this.#at < this.#end) {
        this.#signal?.throwIfAborted()
        const chunk = await this.#nextChunk()
        if (!chunk) continue
        this.#at += chunk.length
        this.#failures = 0
        return { done: false, value: chunk }
      }
    } catch (error) {
      this.#close()
      this.#signal?.throwIfAborted()
      throw toStoreError(this.#key, error)
    }
    this.#close()
    return { done: true, value: undefined }
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#close()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** `undefined` once the connection has broken and another is open. */
  async #nextChunk(): Promise<Uint8Array | undefined> {
    try {
      const chunk = await this.#unlessStalled()
      if (chunk) return chunk
      throw new Error(`the answer ends at ${this.#at} of ${this.#end}`)
    } catch (error) {
      if (this.#isClosed) return undefined
      this.#signal?.throwIfAborted()
      await this.#reopen(error)
      return undefined
    }
  }

  /** A slow reader is no stall: the time counts only while bytes are waited for. */
  async #unlessStalled(): Promise<Uint8Array | undefined> {
    this.#isWaiting = true
    this.#stall.refresh()
    try {
      return await this.#body.next()
    } finally {
      this.#isWaiting = false
    }
  }

  async #reopen(cause: unknown): Promise<void> {
    this.#body.destroy()
    const { patience } = this.#bucket
    if (++this.#failures > patience.retries) throw cause
    await backOff(this.#failures, patience, this.#signal)
    const rest = { start: this.#at, end: this.#end }
    const opened = await open(this.#bucket, this.#key, rest, this.#signal)
    if (!opened) throw new StoreError('corrupt', this.#key, `ends before ${this.#at}`)
    this.#body = this.#bodyOf(opened)
    if (this.#isClosed) this.#body.destroy()
  }

  #bodyOf({ body, sizeBytes }: Opened): ObjectBody {
    const touch = () => this.#isWaiting && this.#stall.refresh()
    const direct = this.#isDirect ? AnswerBody.of(body, sizeBytes, touch) : undefined
    return direct ?? new StreamBody(body)
  }

  #close(): void {
    this.#isClosed = true
    clearTimeout(this.#stall)
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#body.destroy()
  }
}
