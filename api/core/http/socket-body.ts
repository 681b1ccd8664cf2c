import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../platform/problems/index.ts'
import { RequestSlabs, type Slab } from '../../platform/direct-io/index.ts'
import { ByteBuffer, inSlabs, type ByteSource } from '../../stores/storage/index.ts'

/** How long a body may stand still, either way, before its connection is closed (reliability.md §14). */
export const STALL_MS = 120_000

/** How many bytes wait for their reader before the socket is left alone. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * Smaller chunks are copied together while they wait: each costs Node some 130 bytes of its own, and a client may send
 * chunks of one byte.
 */
const SMALL_BYTES = 4096

/**
 * The body of a request in the chunks the socket gives, read once. Throws Problem `invalid-request` when the client goes
 * away, `request-timeout` when it sends nothing for two minutes or takes longer than `withinMs` for the whole body.
 * Breaking off leaves the connection open for the answer. Node's own iterator would destroy the connection, and costs an
 * upload twice the CPU time of these events.
 */
export class SocketBody implements ByteSource, AsyncIterator<Uint8Array> {
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #withinMs: number | undefined
  readonly #chunks: Uint8Array[] = []
  /** Small chunks behind those of `#chunks`. */
  readonly #small = new ByteBuffer()
  #waitingBytes = 0
  #startedAt = 0
  #slabs: RequestSlabs | undefined
  #isStarted = false
  #outcome: 'whole' | 'cut' | 'left' | undefined
  #wake: () => void = () => undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, withinMs?: number) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#withinMs = withinMs
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isStarted) this.#start()
    while (this.#waitingBytes === 0 && !this.#outcome) {
      if (this.#incoming.isPaused()) this.#incoming.resume()
      await this.#change()
    }
    const value = this.#chunks.shift() ?? this.#small.take()
    this.#waitingBytes -= value.length
    if (value.length > 0) return { done: false, value }
    this.#requireUncut()
    return { done: true, value: undefined }
  }

  /** The same bytes, which a large body's socket puts there by itself; the connection is then closed after the answer. */
  async *inSlabs(areLarge = false): AsyncGenerator<Slab> {
    const slabs = await RequestSlabs.open(this.#incoming, this.#outgoing, () => this.#wake(), areLarge)
    if (!slabs) return yield* inSlabs({ [Symbol.asyncIterator]: () => this })
    this.#slabs = slabs
    this.#incoming.on('error', this.#onCut).on('close', this.#onCut)
    try {
      while (!slabs.isWhole && this.#outcome !== 'left') {
        const slab = slabs.take()
        if (slab) yield slab
        else {
          this.#requireUncut()
          await this.#change()
        }
      }
    } finally {
      await this.return()
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#incoming.off('data', this.#onData).off('end', this.#onEnd)
    this.#incoming.off('error', this.#onCut).off('close', this.#onCut)
    if (this.#isStarted) this.#incoming.pause()
    this.#chunks.length = 0
    this.#small.take()
    this.#waitingBytes = 0
    this.#slabs?.leave()
    this.#settle('left')
    return { done: true, value: undefined }
  }

  readonly #onData = (chunk: Uint8Array): void => {
    if (chunk.length < SMALL_BYTES) this.#small.append(chunk)
    else {
      if (this.#small.length > 0) this.#chunks.push(this.#small.take())
      this.#chunks.push(chunk)
    }
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes >= MAX_WAITING_BYTES) this.#incoming.pause()
    this.#wake()
  }
  readonly #onEnd = (): void => this.#settle('whole')
  readonly #onCut = (): void => this.#settle('cut')

  #start(): void {
    this.#isStarted = true
    this.#startedAt = performance.now()
    const { destroyed, readableEnded } = this.#incoming
    if (this.#outcome) return
    if (destroyed || readableEnded) return this.#settle(readableEnded ? 'whole' : 'cut')
    this.#incoming.on('data', this.#onData).on('end', this.#onEnd)
    this.#incoming.on('error', this.#onCut).on('close', this.#onCut)
  }

  #settle(outcome: 'whole' | 'cut' | 'left'): void {
    this.#outcome ??= outcome
    this.#wake()
  }

  #requireUncut(): void {
    if (this.#outcome === 'cut')
      throw new Problem('invalid-request', { detail: 'The request body ended too early.' })
  }

  /** Resolves when a chunk or the end has come. */
  #change(): Promise<void> {
    return new Promise((resolve, reject) => {
      const leftMs =
        this.#withinMs === undefined ? STALL_MS : this.#startedAt + this.#withinMs - performance.now()
      const late = () => reject(new Problem('request-timeout', { detail: this.#lateDetail() }))
      if (leftMs <= 0) return late()
      const timer = setTimeout(late, Math.min(leftMs, STALL_MS))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #lateDetail(): string {
    if (this.#withinMs === undefined) return 'No bytes of the body came for two minutes. Send it again.'
    return `The body did not arrive within ${Math.floor(this.#withinMs / 1000)} s. Send it again.`
  }
}
