import { Worker } from 'node:worker_threads'
import { StoreError } from './store-error.ts'

export type HashAlgorithm = 'sha256' | 'sha1'

/** Memory shared with the thread, per stream: 2 MiB, so that the hash lags the stream by no more. */
const SLOT_BYTES = 512 * 1024
const SLOTS = 4

/** To the thread: a stream begins (`algorithm`, `memory`), a slot is filled (`start`, `length`), it ends, it is dropped. */
type Order = { id: number } & (
  | { algorithm: HashAlgorithm; memory: SharedArrayBuffer }
  | { start: number; length: number }
  | { isEnd: true }
  | { isDropped: true }
)

/** From the thread: a slot is free again, or (`hex`) the digest. */
interface Answer {
  id: number
  hex?: string
}

/** Plain text, since a thread's own module would need a file of its own wherever the code runs bundled. */
const threadCode = `
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')
const streams = new Map()
parentPort.on('message', ({ id, algorithm, memory, start, length, isEnd, isDropped }) => {
  if (memory) streams.set(id, { hash: createHash(algorithm), bytes: new Uint8Array(memory) })
  const { hash, bytes } = streams.get(id)
  if (isEnd || isDropped) streams.delete(id)
  if (isEnd) parentPort.postMessage({ id, hex: hash.digest('hex') })
  if (length) {
    hash.update(bytes.subarray(start, start + length))
    parentPort.postMessage({ id })
  }
})`

/** The one thread that hashes large streams, so that they leave the event loop free. Started on first use. */
class HashThread {
  readonly #worker = new Worker(threadCode, { eval: true })
  readonly #streams = new Map<number, ThreadHash>()
  #lastId = 0

  constructor(onDeath: () => void) {
    this.#worker.unref()
    this.#worker.on('message', ({ id, hex }: Answer) => this.#streams.get(id)?.answered(hex))
    this.#worker.on('error', (cause) => {
      onDeath()
      const error = new StoreError('transient', '', 'the hashing thread died', { cause })
      for (const stream of this.#streams.values()) stream.failed(error)
    })
  }

  open(algorithm: HashAlgorithm): ThreadHash {
    const id = ++this.#lastId
    const memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES)
    const stream = new ThreadHash(id, memory, this)
    if (this.#streams.size === 0) this.#worker.ref()
    this.#streams.set(id, stream)
    this.order({ id, algorithm, memory })
    return stream
  }

  order(order: Order): void {
    this.#worker.postMessage(order)
  }

  release(id: number): void {
    this.#streams.delete(id)
    if (this.#streams.size === 0) this.#worker.unref()
  }
}

/** A digest computed on the thread. Bytes are copied to shared memory, slot after slot, which cycle. */
export class ThreadHash {
  readonly #id: number
  readonly #bytes: Uint8Array
  readonly #thread: HashThread
  #slot = 0
  #filled = 0
  #free = SLOTS
  #hex: string | undefined
  #error: Error | undefined
  #wake: () => void = () => undefined

  constructor(id: number, memory: SharedArrayBuffer, thread: HashThread) {
    this.#id = id
    this.#bytes = new Uint8Array(memory)
    this.#thread = thread
  }

  /** Resolves when the chunk is copied; waits while the thread is two MiB behind. */
  async update(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      await this.#until(() => this.#free > 0)
      const taken = Math.min(SLOT_BYTES - this.#filled, chunk.length - at)
      this.#bytes.set(chunk.subarray(at, at + taken), this.#slot * SLOT_BYTES + this.#filled)
      this.#filled += taken
      at += taken
      if (this.#filled === SLOT_BYTES) this.#send()
    }
  }

  async hex(): Promise<string> {
    if (this.#filled > 0) this.#send()
    this.#thread.order({ id: this.#id, isEnd: true })
    await this.#until(() => this.#hex !== undefined)
    this.#thread.release(this.#id)
    return this.#hex ?? ''
  }

  /** Forgets a stream that will not end. */
  drop(): void {
    this.#thread.order({ id: this.#id, isDropped: true })
    this.#thread.release(this.#id)
  }

  answered(hex: string | undefined): void {
    if (hex === undefined) this.#free++
    else this.#hex = hex
    this.#wake()
  }

  failed(error: Error): void {
    this.#error = error
    this.#wake()
  }

  #send(): void {
    this.#thread.order({ id: this.#id, start: this.#slot * SLOT_BYTES, length: this.#filled })
    this.#slot = (this.#slot + 1) % SLOTS
    this.#filled = 0
    this.#free--
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      if (this.#error) throw this.#error
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

let thread: HashThread | undefined

/** Begins a digest on the thread; it ends with `hex()` or `drop()`. */
export function openThreadHash(algorithm: HashAlgorithm): ThreadHash {
  thread ??= new HashThread(() => (thread = undefined))
  return thread.open(algorithm)
}
