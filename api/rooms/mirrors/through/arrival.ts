import { createHash } from 'node:crypto'
import type { Ctx } from '../../../core/ctx.ts'
import { deleteDiscarded } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { putProven } from '../../uploads/index.ts'
import type { UpstreamFileSource } from '../reading/file-source.ts'
import { ATTEMPTS, backOff, isPassing } from '../transfer/attempts.ts'
import { held } from '../transfer/bandwidth.ts'
import { keepFile, type KeptFile } from '../transfer/keep.ts'
import { joined, putPart } from '../transfer/parts.ts'
import {
  BLOCK_BYTES,
  endTransfer,
  listParts,
  offsetOf,
  renewTransfer,
  type TransferPart,
  type TransferRow,
} from '../transfer/rows.ts'

/** What is stored at once: until then bytes are in memory. */
const FLUSH_BYTES = 8 * BLOCK_BYTES
/** Readers of other processes see what is stored, so a slow upstream is stored in smaller parts. */
const FLUSH_EVERY_MS = 1_000
/** Attempts to get a first byte. */
const FIRST_ATTEMPTS = 2
/** In memory at most, while a part is being stored. */
const MAX_TAIL_BYTES = 3 * FLUSH_BYTES

/** How a file on its way stands. */
type State =
  | { name: 'arriving' | 'proven' }
  | { name: 'kept'; file: KeptFile }
  | { name: 'failed'; error: unknown }

/**
 * A large file on its way from its upstream into this process: one stream, in order. What has come is in memory, then in
 * parts of the transfer, where readers of all processes find it. The last byte is held back until the SHA-256 is proven.
 */
export class Arrival {
  readonly row: TransferRow
  readonly #ctx: Ctx
  readonly #source: UpstreamFileSource
  #signal: AbortSignal = AbortSignal.abort()
  /** By offset. */
  readonly #parts: TransferPart[] = []
  readonly #waiting = new Set<() => void>()
  #state: State = { name: 'arriving' }
  /** Bytes that have come without a gap. */
  #arrived = 0
  /** What has come and is not stored, and where that begins. */
  #tail: Buffer[] = []
  #tailOffset = 0
  #flushing: Promise<void> | undefined
  #flushedAt = performance.now()

  constructor(ctx: Ctx, row: TransferRow, source: UpstreamFileSource) {
    this.#ctx = ctx
    this.row = row
    this.#source = source
  }

  get state(): State {
    return this.#state
  }

  get arrived(): number {
    return this.#arrived
  }

  /** What readers may have by now. */
  get readable(): number {
    const isProven = this.#state.name === 'proven' || this.#state.name === 'kept'
    return isProven ? this.#arrived : Math.min(this.#arrived, this.row.size - 1)
  }

  /** The stored part that holds the byte at `offset`. */
  partAt(offset: number): TransferPart | undefined {
    return this.#parts.find((part) => offsetOf(part) <= offset && offset < offsetOf(part) + part.size)
  }

  /** Bytes in memory from `offset` to at most `end`. */
  inMemory(offset: number, end: number): Buffer | undefined {
    let at = this.#tailOffset
    for (const chunk of this.#tail) {
      if (offset >= at && offset < at + chunk.length) return chunk.subarray(offset - at, end - at)
      at += chunk.length
    }
    return undefined
  }

  /** Resolves when more has come, or the state has changed. */
  changed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      signal?.addEventListener('abort', done)
      this.#waiting.add(done)
    })
  }

  /** Runs until the file is kept. Throws what ended it; parts that are stored stay for the next attempt. */
  async run(signal: AbortSignal, alongside: (tx: Tx) => Promise<void>): Promise<void> {
    this.#signal = signal
    try {
      await this.#fetch()
      this.#become({ name: 'proven' })
      await this.#write((tx) => renewTransfer(tx, this.#ctx, this.row, { proven: true }))
      await this.#keep(alongside)
    } catch (error) {
      await this.#flushing?.catch(() => undefined)
      if (this.#signal.aborted) await this.#flush().catch(() => undefined)
      const why: unknown = this.#signal.aborted ? this.#signal.reason : error
      this.#become({ name: 'failed', error: why })
      throw why
    } finally {
      this.#tail = []
    }
  }

  async #fetch(): Promise<void> {
    const { size, sha256 } = this.row
    // What has just been begun has no parts, and its first reader waits.
    if (this.row.attempt > 1) this.#parts.push(...(await listParts(this.#ctx.db, this.row)))
    const hash = createHash('sha256')
    while (this.#arrived < size) {
      this.#signal.throwIfAborted()
      const at = this.#arrived
      const part = this.#parts.find((one) => offsetOf(one) === at)
      if (part) {
        for await (const chunk of await this.#ctx.blobs.read(part.key, undefined, this.#signal))
          hash.update(chunk)
        this.#arrived = at + part.size
        this.#tailOffset = this.#arrived
        this.#tell()
      } else {
        const next = this.#parts.find((one) => offsetOf(one) > at)
        await this.#stream(next ? offsetOf(next) : size, (chunk) => hash.update(chunk))
        // A part that follows begins where this one ends.
        if (next) {
          await this.#flushing
          await this.#flush()
        }
      }
    }
    const found = hash.digest('hex')
    await this.#flushing?.catch(() => undefined)
    if (found === sha256) return
    const error = new Problem('digest-mismatch', {
      detail: `The upstream sent other bytes than it announced. Expected SHA-256 ${sha256}, got ${found}.`,
    })
    // Readers hear of it before the bytes are deleted, and those who come now begin another transfer.
    this.#become({ name: 'failed', error })
    const keys = await this.#write((tx) => endTransfer(tx, this.#ctx, this.row))
    await deleteDiscarded(this.#ctx, keys ?? [])
    throw error
  }

  /** Reads from the upstream up to `end`; goes on where a connection breaks. */
  async #stream(end: number, hashed: (chunk: Buffer) => void): Promise<void> {
    for (let attempt = 1; ;) {
      const from = this.#arrived
      try {
        const { body } =
          end === this.row.size
            ? await this.#source.openFrom(from, this.#signal)
            : await this.#source.open({ offset: from, length: end - from }, this.#signal)
        for await (const chunk of held(this.#ctx, body, this.#signal)) {
          const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
          if (this.#arrived + bytes.length > end) throw tooLong(this.row)
          hashed(bytes)
          await this.#take(bytes)
        }
        if (this.#arrived === end) return
        throw new Error('the upstream closed the connection early')
      } catch (error) {
        this.#signal.throwIfAborted()
        if (this.#arrived > from) attempt = 1
        // No reader has a byte yet: they hear soon that the upstream does not answer.
        const most = this.#arrived === 0 ? FIRST_ATTEMPTS : ATTEMPTS
        if (!isPassing(error) || attempt >= most) throw error
        this.#ctx.log.info({ err: error, at: this.#arrived }, 'a transfer was interrupted and goes on')
        await backOff(attempt++, this.#signal)
      }
    }
  }

  async #take(chunk: Buffer): Promise<void> {
    this.#tail.push(chunk)
    this.#arrived += chunk.length
    this.#tell()
    const waiting = this.#arrived - this.#tailOffset
    const isDue = waiting >= FLUSH_BYTES || performance.now() - this.#flushedAt > FLUSH_EVERY_MS
    if (isDue && waiting >= BLOCK_BYTES && !this.#flushing)
      this.#flushing = this.#flush().finally(() => (this.#flushing = undefined))
    if (waiting > MAX_TAIL_BYTES) await this.#flushing
    // Its failure is that of the transfer, once it is waited for.
    else this.#flushing?.catch(() => undefined)
  }

  /** Stores whole blocks of what is in memory; all of it where a part or the end of the file follows. */
  async #flush(): Promise<void> {
    const offset = this.#tailOffset
    const isUpToNext = this.#parts.some((part) => offsetOf(part) === this.#arrived)
    const waiting = this.#arrived - offset
    const length = isUpToNext ? waiting : Math.floor(waiting / BLOCK_BYTES) * BLOCK_BYTES
    if (length === 0) return
    const bytes = cut(this.#tail, length)
    const part = await putPart(this.#ctx, this.row, { offset, length }, fromChunks(...bytes))
    const after = this.#parts.findIndex((one) => offsetOf(one) > offset)
    this.#parts.splice(after === -1 ? this.#parts.length : after, 0, part)
    this.#tail = without(this.#tail, length)
    this.#tailOffset = offset + length
    this.#flushedAt = performance.now()
    this.#tell()
  }

  async #keep(alongside: (tx: Tx) => Promise<void>): Promise<void> {
    await this.#flushing
    const rest = this.#tail
    const put = async (object: KeptFile) => {
      const ctx = this.#ctx
      const parts = joined(ctx, this.#parts, this.#signal)
      async function* all() {
        yield* parts
        yield* rest
      }
      await putProven(
        ctx,
        object,
        this.#parts.length > 0 ? { [Symbol.asyncIterator]: all } : fromChunks(...rest),
      )
    }
    const onKept = (file: KeptFile) => this.#become({ name: 'kept', file })
    await keepFile(this.#ctx, this.row, put, { alongside, onKept })
  }

  #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#ctx.db.write(work)
  }

  #become(state: State): void {
    this.#state = state
    this.#tell()
  }

  #tell(): void {
    const waiting = [...this.#waiting]
    for (const done of waiting) done()
  }
}

const tooLong = ({ size }: TransferRow) =>
  new Problem('size-mismatch', { detail: `The upstream sent more than the ${size} bytes it announced.` })

/** The first `length` bytes. */
function cut(chunks: readonly Buffer[], length: number): Buffer[] {
  const taken: Buffer[] = []
  let left = length
  for (const chunk of chunks) {
    if (left === 0) break
    taken.push(chunk.subarray(0, left))
    left -= Math.min(left, chunk.length)
  }
  return taken
}

/** All but the first `length` bytes. */
function without(chunks: readonly Buffer[], length: number): Buffer[] {
  let left = length
  return chunks.flatMap((chunk) => {
    const gone = Math.min(left, chunk.length)
    left -= gone
    return gone === chunk.length ? [] : [chunk.subarray(gone)]
  })
}
