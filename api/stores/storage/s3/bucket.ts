import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { BlobStat } from '../blob-store.ts'
import { isSegment, requireKey } from '../guards.ts'
import { type Attempt, type Patience, persist } from './attempts.ts'
import { directAgents } from '../../../platform/direct-io/index.ts'
import { endpointUrl } from './endpoint.ts'
import { hasStatus, toStoreError } from './errors.ts'
import { StoreError } from '../store-error.ts'

/** The `storage.s3` section of the configuration, as far as requests need it; times in milliseconds. */
export interface S3Options {
  /** Host with optional port, or an `http://` or `https://` origin; empty is the vendor's own. */
  endpoint: string
  region: string
  bucket: string
  prefix: string
  /** Empty uses the default credential chain. */
  access_key_id: string
  secret_access_key: string
  use_path_style: boolean
  retries: number
  stall_timeout: number
  /** Longest first wait between two tries. */
  backoffMs?: number
  /** Size of the parts that large objects go out in; 16 MiB by default. */
  partBytes?: number
  /** From how many bytes on an answer is read directly, which costs a connection; 8 MiB by default. */
  directBytes?: number
}

const DIRECT_BYTES = 8 * 1024 * 1024

/** Downloads to slow clients each hold a connection; what else is asked must find one too. */
const MAX_SOCKETS = 2000
const MAX_FREE_SOCKETS = 64
const CONNECT_MS = 10_000

/** An object as S3 tells of it, with the mark of the put that made it. */
export interface S3Stat extends BlobStat {
  putId: string | undefined
}

/** It would print on the terminal that streams are not tried again; every failure is heard by the caller. */
const unheard = () => undefined
const silent = { trace: unheard, debug: unheard, info: unheard, warn: unheard, error: unheard }

function openClient({ endpoint, region, access_key_id, ...rest }: S3Options): S3Client {
  const sockets = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: MAX_FREE_SOCKETS }
  const url = endpointUrl(endpoint)
  const keys = { accessKeyId: access_key_id, secretAccessKey: rest.secret_access_key }
  return new S3Client({
    region,
    logger: silent,
    forcePathStyle: rest.use_path_style,
    // `persist` tries again: the client would give up on streams, and knows nothing of keys that are taken.
    maxAttempts: 1,
    // By default it sends checksums in trailers, which many servers refuse, and signs them into URLs.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      ...directAgents(sockets),
    },
    ...(url ? { endpoint: url } : {}),
    ...(access_key_id ? { credentials: keys } : {}),
  })
}

/** A bucket and how it is spoken to: names of objects, tries, and turns at one key. */
export class S3Bucket {
  readonly client: S3Client
  readonly partBytes: number | undefined
  readonly directBytes: number
  readonly #name: string
  readonly #prefix: string
  readonly #patience: Patience
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(options: S3Options) {
    this.client = openClient(options)
    this.partBytes = options.partBytes
    this.directBytes = options.directBytes ?? DIRECT_BYTES
    this.#name = options.bucket
    const prefix = options.prefix.replace(/^\/+|\/+$/g, '')
    this.#prefix = prefix && `${prefix}/`
    const { retries, stall_timeout: stallMs, backoffMs = 250 } = options
    this.#patience = { retries, stallMs, backoffMs }
  }

  get patience(): Patience {
    return this.#patience
  }

  /** The bucket and the full name of a key in it, as requests want them. */
  at(key: string): { Bucket: string; Key: string } {
    requireKey(key)
    return { Bucket: this.#name, Key: this.#prefix + key }
  }

  /** The same for names that are no keys, such as those of checks and beginnings of keys. */
  below(name: string): { Bucket: string; Prefix: string } {
    return { Bucket: this.#name, Prefix: this.#prefix + name }
  }

  /** The key of an object's full name; `undefined` for what is none of ours. */
  keyOf(name: string | undefined): string | undefined {
    const key = name?.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : undefined
    return key?.split('/').every(isSegment) ? key : undefined
  }

  /** Makes a request as often as configured, or as `patience` says. */
  call<T>(
    key: string,
    act: (client: S3Client, attempt: Attempt) => Promise<T>,
    { signal, ...patience }: { signal?: AbortSignal | undefined } & Partial<Patience> = {},
  ): Promise<T> {
    return persist(key, { ...this.#patience, ...patience }, signal, (attempt) => act(this.client, attempt))
  }

  /** `undefined` only when the object surely does not exist. */
  async head(key: string): Promise<S3Stat | undefined> {
    const at = this.at(key)
    return this.call(key, async (client, attempt) => {
      try {
        const {
          ContentLength = 0,
          LastModified,
          Metadata,
        } = await client.send(new HeadObjectCommand(at), attempt)
        return {
          key,
          sizeBytes: ContentLength,
          modifiedAt: wholeSeconds(LastModified),
          putId: Metadata?.[PUT_ID],
        }
      } catch (error) {
        if (!hasStatus(error, 404) && !hasStatus(error, 403)) throw error
        return this.#confirmByGet(key, attempt)
      }
    })
  }

  /** An answer to HEAD has no body: its 404 may mean the bucket, and its 403 our clock. One to GET tells. */
  async #confirmByGet(key: string, attempt: Attempt): Promise<undefined> {
    try {
      const { Body } = await this.client.send(
        new GetObjectCommand({ ...this.at(key), Range: 'bytes=0-0' }),
        attempt,
      )
      await Body?.transformToByteArray()
    } catch (error) {
      const failure = toStoreError(key, error)
      if (failure.kind === 'missing') return undefined
      if (!hasStatus(error, 416)) throw failure
    }
    throw new StoreError('transient', key, 'HEAD says that it is missing or refused, GET that it is there')
  }

  async remove(key: string): Promise<void> {
    const at = this.at(key)
    await this.call(key, async (client, attempt) => {
      try {
        await client.send(new DeleteObjectCommand(at), attempt)
      } catch (error) {
        if (toStoreError(key, error).kind !== 'missing') throw error
      }
    })
  }

  /** Lets one at a time of this process write a key: not every server decides between two. */
  async exclusively<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key)
    const turn = before ? before.then(act, act) : act()
    this.#turns.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }

  close(): void {
    this.client.destroy()
  }
}

/** Metadata of each object: which put made it, which separates the echo of an unanswered put from a taken key. */
export const PUT_ID = 'put-id'

/** HEAD tells seconds; lists of some servers tell more. */
export function wholeSeconds(time: Date | undefined): Date {
  return new Date(Math.floor((time?.getTime() ?? 0) / 1000) * 1000)
}
