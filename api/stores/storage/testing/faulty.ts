import type { BlobStat, BlobStore, ByteRange, ByteSource, DirectUploads, PutOptions } from '../blob-store.ts'
import { cancel, derived } from '../bytes.ts'
import type { Fault, FaultPlan, IoOperation } from './fault-plan.ts'
import { unlessAborted } from '../intake.ts'
import { StoreError, type StoreErrorKind } from '../store-error.ts'

/** A blob store over another that goes wrong by plan. It hides local paths and URLs, so that every byte passes it. */
export class FaultyBlobStore implements BlobStore {
  readonly kind: BlobStore['kind']
  readonly #inner: BlobStore
  readonly #plan: FaultPlan
  #ioCount = 0
  #lastAdded: string | undefined
  #release: () => void = () => undefined
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve))

  constructor(inner: BlobStore, plan: FaultPlan) {
    this.kind = inner.kind
    this.#inner = inner
    this.#plan = plan
  }

  /** Steps taken so far. */
  get ioCount(): number {
    return this.#ioCount
  }

  /** Lets everything that stalls go on, now and later. */
  release(): void {
    this.#release()
  }

  async put(key: string, source: ByteSource, options: PutOptions = {}): Promise<BlobStat> {
    return this.#adding(key, () =>
      this.#taking('put', key, source, options, (chunks) => this.#inner.put(key, chunks, options)),
    )
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<ByteSource> {
    let opened: ByteSource | undefined
    try {
      const open = async () => (opened = await this.#inner.read(key, range, signal))
      return this.#chunks(key, await this.#step('read', key, open, signal), signal)
    } catch (error) {
      if (opened) await cancel(opened)
      throw error
    }
  }

  stat(key: string): Promise<BlobStat | undefined> {
    return this.#step('stat', key, () => this.#inner.stat(key))
  }

  delete(key: string): Promise<void> {
    return this.#step('delete', key, () => this.#inner.delete(key))
  }

  async *list(prefix: string): AsyncGenerator<BlobStat> {
    const fault = this.#next('list', prefix)
    if (fault?.type === 'before') throw injected(fault, prefix)
    if (fault?.type === 'stall') await this.#released
    await pauseAt('before', fault)
    for await (const stat of this.#inner.list(prefix))
      if (fault?.type !== 'lag' || stat.key !== this.#lastAdded) yield stat
    await pauseAt('after', fault)
    if (fault?.type === 'after') throw injected(fault, prefix)
  }

  copy(from: string, to: string): Promise<BlobStat> {
    return this.#adding(to, () => this.#step('copy', to, () => this.#inner.copy(from, to)))
  }

  async presignGet(): Promise<undefined> {}
  localPath(): undefined {}

  /** Its uploads go wrong by the same plan, and come through the service. */
  get direct(): DirectUploads | undefined {
    const inner = this.#inner.direct
    if (!inner) return undefined
    return {
      create: (key) => this.#step('createMultipart', key, () => inner.create(key)),
      putPart: (key, uploadId, n, source, options = {}) =>
        this.#taking('putPart', key, source, options, (chunks) =>
          inner.putPart(key, uploadId, n, chunks, options),
        ),
      listParts: (key, uploadId) => this.#step('listParts', key, () => inner.listParts(key, uploadId)),
      complete: (key, uploadId, parts) =>
        this.#adding(key, () =>
          this.#step('completeMultipart', key, () => inner.complete(key, uploadId, parts)),
        ),
      abort: (key, uploadId) => this.#step('abortMultipart', key, () => inner.abort(key, uploadId)),
      presignPut: () => Promise.resolve(undefined),
      presignParts: () => Promise.resolve(undefined),
    }
  }

  freeSpace() {
    return this.#step('freeSpace', '', () => this.#inner.freeSpace())
  }

  check(): Promise<void> {
    return this.#step('check', '', () => this.#inner.check())
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #next(operation: IoOperation, key: string): Fault | undefined {
    return this.#plan({ n: ++this.#ioCount, operation, key })
  }

  async #step<T>(
    operation: IoOperation,
    key: string,
    act: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const fault = this.#next(operation, key)
    if (fault?.type === 'before') throw injected(fault, key)
    if (fault?.type === 'stall') await unlessAborted(() => this.#released, signal)
    await pauseAt('before', fault)
    const result = await act()
    await pauseAt('after', fault)
    if (fault?.type === 'after') throw injected(fault, key)
    return result
  }

  async #taking<T>(
    operation: IoOperation,
    key: string,
    source: ByteSource,
    { signal }: PutOptions,
    act: (chunks: ByteSource) => Promise<T>,
  ): Promise<T> {
    let isTaken = false
    try {
      return await this.#step(
        operation,
        key,
        () => {
          isTaken = true
          return act(this.#chunks(key, source, signal))
        },
        signal,
      )
    } catch (error) {
      if (!isTaken) await cancel(source)
      throw error
    }
  }

  async #adding(key: string, act: () => Promise<BlobStat>): Promise<BlobStat> {
    const stat = await act()
    this.#lastAdded = key
    return stat
  }

  #chunks(key: string, source: ByteSource, signal: AbortSignal | undefined): ByteSource {
    const next = () => this.#next('chunk', key)
    const stall = () => unlessAborted(() => this.#released, signal)
    return derived([source], async function* () {
      for await (const chunk of source) {
        const fault = next()
        if (fault?.type === 'short') return
        if (fault?.type === 'before') throw injected(fault, key)
        if (fault?.type === 'stall') await stall()
        await pauseAt('before', fault)
        yield fault?.type === 'flip' ? flipped(chunk) : chunk
        await pauseAt('after', fault)
        if (fault?.type === 'after') throw injected(fault, key)
      }
    })
  }
}

async function pauseAt(when: 'before' | 'after', fault: Fault | undefined): Promise<void> {
  if (fault?.type === 'pause' && fault.when === when) await fault.until()
}

function injected({ kind, type }: { kind: StoreErrorKind; type: string }, key: string): StoreError {
  return new StoreError(kind, key, `injected ${type} the step`)
}

/** The chunk with the lowest bit of its middle byte turned. */
function flipped(chunk: Uint8Array): Uint8Array {
  const turned = Uint8Array.from(chunk)
  const middle = chunk.length >> 1
  turned[middle] = (turned[middle] ?? 0) ^ 1
  return turned
}
