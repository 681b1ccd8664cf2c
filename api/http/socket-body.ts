import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../problems/index.ts'
import { inSlabs, type ByteSource, type Slab } from '../storage/index.ts'
import { SocketSlabs } from './socket-slabs.ts'

/** How long a body may stand still, either way, before its connection is given up (reliability.md §14). */
export const STALL_MS = 120_000

/** Chunks of 64 KiB that wait for their reader before the socket is left alone. */
const MAX_WAITING = 16

/**
 * The body of a request in the chunks the socket gives, read once. Throws Problem `invalid-request` when the client goes
 * away or sends nothing for two minutes. Breaking off leaves the connection open for the answer. Node's own iterator
 * would destroy the connection, and costs an upload twice the CPU time of these events.
 */
export class SocketBody implements ByteSource, AsyncIterator<Uint8Array> {
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #chunks: Uint8Array[] = []
  #slabs: SocketSlabs | undefined
  #isStarted = false
  #outcome: 'whole' | 'cut' | 'left' | undefined
  #wake: () => void = () => undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isStarted) this.#start()
    while (this.#chunks.length === 0 && !this.#outcome) {
      if (this.#incoming.isPaused()) this.#incoming.resume()
      await this.#change()
    }
    const value = this.#chunks.shift()
    if (value) return { done: false, value }
    this.#requireUncut()
    return { done: true, value: undefined }
  }

  /** The same bytes, which a large body's socket puts there by itself; the connection is then closed after the answer. */
  async *inSlabs(): AsyncGenerator<Slab> {
    const slabs = await SocketSlabs.open(this.#incoming, this.#outgoing, () => this.#wake())
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
    this.#slabs?.leave()
    this.#settle('left')
    return { done: true, value: undefined }
  }

  readonly #onData = (chunk: Uint8Array): void => {
    if (this.#chunks.push(chunk) >= MAX_WAITING) this.#incoming.pause()
    this.#wake()
  }
  readonly #onEnd = (): void => this.#settle('whole')
  readonly #onCut = (): void => this.#settle('cut')

  #start(): void {
    this.#isStarted = true
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
      const stalled = () =>
        reject(new Problem('invalid-request', { detail: 'No bytes came for two minutes.' }))
      const timer = setTimeout(stalled, STALL_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
