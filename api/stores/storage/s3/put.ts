import { randomUUID } from 'node:crypto'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { BlobStat, ByteSource, PutOptions } from '../blob-store.ts'
import { PUT_ID, type S3Bucket } from './bucket.ts'
import { toStoreError } from './errors.ts'
import type { S3Multiparts } from './multipart.ts'
import type { S3Probe } from './probe.ts'
import { Spooler, type Spooled } from './spool.ts'
import { requireStored, taken } from './stored.ts'
import { StoreError } from '../store-error.ts'

const MIB = 1024 * 1024

/** Objects up to this size go out in one request, larger ones in parts of at least it. */
const PART_BYTES = 16 * MIB

/** Most parts of an object (Multipart upload limits, Amazon S3 User Guide). */
const MAX_PARTS = 10_000

/** Parts of one object on their way at once. */
const PARTS_AT_ONCE = 4

/** All parts but the last have one size, as some servers demand. */
function partBytesFor(sizeBytes: number | undefined, leastBytes: number): number {
  return Math.max(leastBytes, Math.ceil((sizeBytes ?? 0) / MAX_PARTS / MIB) * MIB)
}

/** Whole objects on their way in. */
export class S3Puts {
  readonly #bucket: S3Bucket
  readonly #probe: S3Probe
  readonly #multiparts: S3Multiparts

  constructor(bucket: S3Bucket, probe: S3Probe, multiparts: S3Multiparts) {
    this.#bucket = bucket
    this.#probe = probe
    this.#multiparts = multiparts
  }

  async put(key: string, source: ByteSource, { sizeBytes, signal }: PutOptions): Promise<BlobStat> {
    const partBytes = partBytesFor(sizeBytes, this.#bucket.partBytes ?? PART_BYTES)
    const spooler = new Spooler(key, source)
    try {
      const first = await spooler.take(partBytes)
      if (await this.#endsWith(spooler, first)) return await this.#putWhole(key, first, signal)
      return await this.#putParts(key, spooler, first, partBytes, signal)
    } finally {
      await spooler.close()
    }
  }

  /** Drops the spooled bytes when the source breaks off right behind them. */
  async #endsWith(spooler: Spooler, first: Spooled): Promise<boolean> {
    return spooler.isEnded().catch(async (error: unknown) => {
      await first.drop()
      throw error
    })
  }

  async #putWhole(key: string, spooled: Spooled, signal: AbortSignal | undefined): Promise<BlobStat> {
    try {
      return await this.#bucket.exclusively(key, async () => {
        const decides = await this.#probe.decides(signal)
        if (!decides && (await this.#bucket.head(key))) throw taken(key)
        await this.#send(key, spooled, decides, signal)
        return requireStored(this.#bucket, key, spooled.sizeBytes)
      })
    } finally {
      await spooled.drop()
    }
  }

  async #send(
    key: string,
    spooled: Spooled,
    decides: boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const putId = randomUUID()
    const request = {
      ...this.#bucket.at(key),
      ContentLength: spooled.sizeBytes,
      ContentMD5: spooled.md5,
      Metadata: { [PUT_ID]: putId },
      ...(decides ? { IfNoneMatch: '*' } : {}),
    }
    await this.#bucket.call(
      key,
      async (client, attempt) => {
        // A server may refuse a taken key by closing the connection on the bytes that still come.
        if (attempt.isRepeat && (await this.#isPut(key, putId))) return
        try {
          const Body = spooled.body(() => attempt.touch())
          await client.send(new PutObjectCommand({ ...request, Body }), attempt)
        } catch (error) {
          const mayBeEcho = attempt.isRepeat && toStoreError(key, error).kind === 'exists'
          if (!mayBeEcho || !(await this.#isPut(key, putId))) throw error
        }
      },
      { signal },
    )
  }

  /** Whether an earlier try has succeeded unheard; throws `exists` when the key is another's. */
  async #isPut(key: string, putId: string): Promise<boolean> {
    const stored = await this.#bucket.head(key)
    if (stored && stored.putId !== putId) throw taken(key)
    return stored !== undefined
  }

  async #putParts(
    key: string,
    spooler: Spooler,
    first: Spooled,
    partBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<BlobStat> {
    const uploadId = await this.#multiparts.create(key).catch(async (error: unknown) => {
      await first.drop()
      throw error
    })
    const sending = new PartsUnderWay(
      (n, spooled, stop) => this.#multiparts.send(key, uploadId, n, spooled, stop),
      signal,
    )
    try {
      sending.start(first)
      while (!(await spooler.isEnded())) {
        if (sending.count === MAX_PARTS)
          throw new StoreError('permanent', key, `needs more than ${MAX_PARTS} parts of ${partBytes} bytes`)
        sending.start(await spooler.take(partBytes))
        await sending.untilFewerThan(PARTS_AT_ONCE)
      }
      const parts = await sending.all()
      return await this.#multiparts.complete(key, uploadId, parts, sending.sizeBytes)
    } catch (error) {
      await sending.cancel(error)
      // What cannot be aborted now is swept later; the first failure is the one to report.
      await this.#multiparts.abort(key, uploadId).catch(() => undefined)
      throw error
    }
  }
}

type SendPart = (n: number, spooled: Spooled, signal: AbortSignal) => Promise<{ etag: string }>

/** Parts of one object being sent side by side; the first failure stops them all. */
class PartsUnderWay {
  readonly #send: SendPart
  readonly #outer: AbortSignal | undefined
  readonly #stop = new AbortController()
  readonly #abort = () => this.#stop.abort(this.#outer?.reason)
  readonly #running = new Set<Promise<void>>()
  readonly #sent: { n: number; etag: string }[] = []
  count = 0
  sizeBytes = 0

  constructor(send: SendPart, signal: AbortSignal | undefined) {
    this.#send = send
    this.#outer = signal
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  start(spooled: Spooled): void {
    const n = ++this.count
    this.sizeBytes += spooled.sizeBytes
    const sending = this.#send(n, spooled, this.#stop.signal)
      .then(
        ({ etag }) => void this.#sent.push({ n, etag }),
        (error: unknown) => this.#stop.abort(error),
      )
      .finally(() => this.#running.delete(sending))
    this.#running.add(sending)
  }

  async untilFewerThan(count: number): Promise<void> {
    while (this.#running.size >= count) await Promise.race(this.#running)
    this.#stop.signal.throwIfAborted()
  }

  /** All parts by their number, once every one is stored. */
  async all(): Promise<{ n: number; etag: string }[]> {
    await this.untilFewerThan(1)
    this.#outer?.removeEventListener('abort', this.#abort)
    return this.#sent.sort((a, b) => a.n - b.n)
  }

  async cancel(reason: unknown): Promise<void> {
    this.#outer?.removeEventListener('abort', this.#abort)
    this.#stop.abort(reason)
    await Promise.all(this.#running)
  }
}
