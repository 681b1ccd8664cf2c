import { setTimeout as pause } from 'node:timers/promises'
import { actorId, type Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { findInRepo } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Db } from '../../../stores/db/index.ts'
import { derived, fromChunks, type ByteRange, type ByteSource } from '../../../stores/storage/index.ts'
import { held } from '../transfer/bandwidth.ts'
import { BLOCK_BYTES, findPartAt, findTransfer, offsetOf, wantTransfer } from '../transfer/rows.ts'
import { Arrivals, isLeft, type Seat } from './arrivals.ts'
import type { FarFile } from './file.ts'

/** A reader that begins so far ahead of a transfer reads by itself. */
const FAR_BYTES = 16 * BLOCK_BYTES
/** A short range, such as a header, does not begin the transfer of its file. */
const SHORT_BYTES = BLOCK_BYTES
/** How often a transfer in another process is looked at. */
const LOOK_EVERY_MS = 100
/** How often it hears that readers wait, and how long it believes that. */
const WANT_EVERY_MS = 4_000
const WANTED_MS = 12_000
/** After so long without a byte from another process a reader fetches the next ones itself. */
const IMPATIENT_MS = 5_000
const IMPATIENT_BYTES = 8 * BLOCK_BYTES

const arrivalsOf = (_: Db) => new Arrivals()

/**
 * Opens a large file, or one range of it, whose bytes are at an upstream: answers them as they arrive. Fails before the
 * first byte with a Problem that says why; afterwards the source breaks off, and never ends as if it were complete.
 */
export async function openArriving(
  ctx: Ctx,
  actor: Actor,
  file: FarFile,
  { offset, length }: ByteRange = { offset: 0, length: file.sizeBytes },
  signal: AbortSignal = ctx.signal,
): Promise<ByteSource> {
  const reader = new Reader(ctx, actor, file, { offset, length }, signal)
  try {
    const first = length === 0 ? fromChunks() : await reader.next()
    return derived([reader.asSource()], () => reader.read(first))
  } catch (error) {
    reader.leave()
    throw error
  }
}

class Reader {
  readonly #ctx: Ctx
  readonly #actor: Actor
  readonly #file: FarFile
  readonly #signal: AbortSignal
  readonly #start: number
  readonly #end: number
  readonly #isShort: boolean
  #at: number
  #seat: Seat | undefined
  /** The transfer that bytes were read from: another one may bring other bytes. */
  #transferId: string | undefined
  #wantedAt = Number.NEGATIVE_INFINITY
  #movedAt = performance.now()
  #canRange = true

  constructor(ctx: Ctx, actor: Actor, file: FarFile, { offset, length }: ByteRange, signal: AbortSignal) {
    this.#ctx = ctx
    this.#actor = actor
    this.#file = file
    this.#signal = signal
    this.#start = offset
    this.#at = offset
    this.#end = offset + length
    this.#isShort = length <= SHORT_BYTES && length < file.sizeBytes
  }

  leave(): void {
    this.#seat?.leave()
    this.#seat = undefined
  }

  /** What a cancelled reader is ended by. */
  asSource(): ByteSource {
    const iterator = {
      next: () => Promise.resolve({ done: true as const, value: undefined }),
      return: () => {
        this.leave()
        return Promise.resolve({ done: true as const, value: undefined })
      },
    }
    return { [Symbol.asyncIterator]: () => iterator }
  }

  async *read(first: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      let piece = first
      for (;;) {
        try {
          for await (const chunk of piece) {
            yield chunk
            this.#at += chunk.length
            this.#movedAt = performance.now()
          }
        } catch (error) {
          // A part goes when its file is kept; that has the same bytes.
          if (this.#seat?.arrival.state.name !== 'kept') throw error
        }
        if (this.#at >= this.#end) return
        piece = await this.next()
      }
    } finally {
      this.leave()
    }
  }

  /** The next bytes, once they are there. */
  async next(): Promise<AsyncIterable<Uint8Array>> {
    for (;;) {
      this.#signal.throwIfAborted()
      const piece = (await this.#short()) ?? (await this.#fromHere()) ?? (await this.#fromElsewhere())
      if (piece) return piece
    }
  }

  async #short(): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (!this.#isShort || this.#seat || this.#arrivals.has(this.#file)) return undefined
    return (await this.#kept()) ?? this.#ahead(this.#end)
  }

  get #arrivals(): Arrivals {
    return this.#ctx.db.keep(arrivalsOf)
  }

  /** From the transfer in this process, which begins unless another process has it. */
  async #fromHere(): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (!this.#seat) {
      const kept = await this.#kept()
      if (kept) return kept
      const joined = await this.#arrivals.join(this.#ctx, this.#file, actorId(this.#actor))
      if (joined === 'busy') return undefined
      this.#seat = joined
      this.#requireSame(joined.arrival.row.id)
    }
    const { arrival } = this.#seat
    const { state } = arrival
    if (state.name === 'kept') return this.#stored(state.file.key)
    if (state.name === 'failed') {
      this.leave()
      if (!isLeft(state.error) && !isLost(state.error)) throw state.error
      return undefined
    }
    const isProven = state.name === 'proven'
    const end = Math.min(this.#end, isProven ? arrival.row.size : arrival.row.size - 1)
    if (this.#at < arrival.readable) {
      const bytes = arrival.inMemory(this.#at, Math.min(end, arrival.readable))
      if (bytes) return fromChunks(bytes)
    }
    const part = this.#at < end ? arrival.partAt(this.#at) : undefined
    if (part) return this.#inPart(part, end)
    if (this.#isFarFrom(arrival.arrived)) {
      const own = await this.#ahead(this.#end)
      if (own) return own
    }
    await arrival.changed(this.#signal)
    return undefined
  }

  /** From the parts that another process stores, or a job. */
  async #fromElsewhere(): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (this.#seat) return undefined
    const kept = await this.#kept()
    if (kept) return kept
    const row = await findTransfer(this.#ctx.db, this.#file)
    if (!row?.lease_until || row.lease_until <= this.#ctx.now()) {
      if (row || this.#transferId === undefined) return undefined
      // It ended since the look before: with the file, or without.
      const ended = await this.#kept()
      if (!ended) this.#requireSame('')
      return ended
    }
    this.#requireSame(row.id)
    const { part, storedBytes } = await findPartAt(this.#ctx.db, row, this.#at)
    const end = Math.min(this.#end, row.proven ? row.size : row.size - 1)
    if (part && this.#at < end) return this.#inPart(part, end)
    if (this.#isFarFrom(storedBytes) && !row.proven) {
      const own = await this.#ahead(this.#end)
      if (own) return own
    }
    await this.#want()
    if (performance.now() - this.#movedAt > IMPATIENT_MS && this.#at < end) {
      const own = await this.#ahead(Math.min(end, this.#at + IMPATIENT_BYTES))
      if (own) return own
    }
    await pause(LOOK_EVERY_MS, undefined, { signal: this.#signal })
    return undefined
  }

  /** One that has got bytes waits: a transfer that goes on after a kill first reads the parts it has. */
  #isFarFrom(arrived: number): boolean {
    return this.#at === this.#start && this.#at > arrived + FAR_BYTES
  }

  /** Bytes of two transfers do not go together: one of them may have been of another file. */
  #requireSame(transferId: string): void {
    if (this.#transferId !== undefined && this.#transferId !== transferId)
      throw new Problem('upstream-unavailable', {
        detail: 'The transfer from the upstream failed. Try again.',
        retryAfterS: 5,
      })
    this.#transferId = transferId
  }

  async #want(): Promise<void> {
    if (performance.now() - this.#wantedAt < WANT_EVERY_MS) return
    this.#wantedAt = performance.now()
    const until = new Date(this.#ctx.now().getTime() + WANTED_MS)
    await this.#ctx.db.write((tx) => wantTransfer(tx, this.#file, until))
  }

  async #kept(): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { repoId, sha256 } = this.#file
    const found = await findInRepo(this.#ctx.db, { ...this.#ctx, actor: this.#actor }, repoId, [sha256])
    const key = found.get(sha256)?.key
    return key === undefined ? undefined : this.#stored(key)
  }

  #stored(key: string): Promise<ByteSource> {
    return this.#ctx.blobs.read(key, { offset: this.#at, length: this.#end - this.#at }, this.#signal)
  }

  #inPart(part: { n: number; key: string; size: number }, end: number): Promise<ByteSource> {
    const offset = this.#at - offsetOf(part)
    const length = Math.min(end - this.#at, part.size - offset)
    return this.#ctx.blobs.read(part.key, { offset, length }, this.#signal)
  }

  /** By a ranged read of its own; `undefined` where the upstream sends no ranges. */
  async #ahead(end: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (!this.#canRange) return undefined
    const { source } = this.#file
    const range = { offset: this.#at, length: end - this.#at }
    const answer = await source.openRange(range, this.#signal)
    this.#canRange = answer !== undefined
    return answer && held(this.#ctx, answer.body, this.#signal)
  }
}

/** Another process has taken a transfer over. */
const isLost = (error: unknown) => error instanceof Problem && error.code === 'temporarily-unavailable'
