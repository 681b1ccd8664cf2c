import { randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Attempt } from './attempts.ts'
import type { S3Bucket } from './bucket.ts'
import { isUnsupported, toStoreError } from './errors.ts'
import { StoreError } from '../store-error.ts'

/** Where checks write; no key begins like this. */
const CHECKS = '.check/'

/** How long a written and read object vouches for the bucket; in between a list is asked for, which costs less. */
const VOUCHED_MS = 5 * 60_000

const TIMEOUT_MS = 10_000

/** Tries out whether the bucket can be used, and whether it refuses to overwrite when asked to. */
export class S3Probe {
  readonly #bucket: S3Bucket
  #vouchedAt = -Infinity
  #decides: Promise<boolean> | undefined

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket
  }

  /** Resolves when the bucket can be read and written now; asked once, not again and again. */
  async check(): Promise<void> {
    const stallMs = Math.min(TIMEOUT_MS, this.#bucket.patience.stallMs)
    const patience = { retries: 0, stallMs }
    if (performance.now() - this.#vouchedAt > VOUCHED_MS) {
      const decides = await this.#bucket.call(
        '',
        (client, attempt) => this.#tryOut(client, attempt),
        patience,
      )
      this.#decides = Promise.resolve(decides)
      this.#vouchedAt = performance.now()
      return
    }
    const list = new ListObjectsV2Command({ ...this.#bucket.below(''), MaxKeys: 1 })
    await this.#bucket.call('', (client, attempt) => client.send(list, attempt), patience)
  }

  /** Whether a put may leave it to the server to refuse a taken key; some ignore that they are asked. */
  async decides(signal: AbortSignal | undefined): Promise<boolean> {
    this.#decides ??= this.#bucket.call('', (client, attempt) => this.#tryOut(client, attempt))
    const asked = this.#decides
    try {
      return await asked
    } catch (error) {
      if (this.#decides === asked) this.#decides = undefined
      signal?.throwIfAborted()
      throw error
    }
  }

  async #tryOut(client: S3Client, attempt: Attempt): Promise<boolean> {
    const { Bucket, Prefix } = this.#bucket.below(CHECKS)
    const at = { Bucket, Key: Prefix + randomUUID() }
    const put = (condition: { IfNoneMatch?: string }) =>
      client.send(new PutObjectCommand({ ...at, Body: 'check', ...condition }), attempt)
    const decides = await refusesSecond(() => put({ IfNoneMatch: '*' }))
    if (decides === undefined) await put({})
    const { Body } = await client.send(new GetObjectCommand(at), attempt)
    if ((await Body?.transformToString()) !== 'check')
      throw new StoreError('corrupt', '', 'bytes read back differ from those written')
    await client.send(new DeleteObjectCommand(at), attempt)
    return decides ?? false
  }
}

/** Puts twice: whether the second is refused, as it should be; `undefined` when the server does not know how to. */
async function refusesSecond(put: () => Promise<unknown>): Promise<boolean | undefined> {
  try {
    await put()
  } catch (error) {
    if (isUnsupported(error)) return undefined
    throw error
  }
  try {
    await put()
    return false
  } catch (error) {
    if (toStoreError('', error).kind === 'exists') return true
    throw error
  }
}
