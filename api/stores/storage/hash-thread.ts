import type { Slab } from '../../platform/direct-io/index.ts'
import { startThread } from '../../platform/workers.ts'
import type { Answer, HashAlgorithm, Order } from './hash.worker.ts'
import { StoreError } from './store-error.ts'

/** The one thread that hashes large streams, so that they leave the event loop free. Started on first use. */
class HashThread {
  readonly #worker = startThread(new URL('./hash.worker.ts', import.meta.url))
  readonly #streams = new Map<number, ThreadHash>()
  #lastId = 0

  constructor(onDeath: () => void) {
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => this.#streams.get(answer.id)?.answered(answer))
    this.#worker.on('error', (cause) => {
      onDeath()
      const error = new StoreError('transient', '', 'the hashing thread died', { cause })
      for (const stream of this.#streams.values()) stream.failed(error)
    })
  }

  open(algorithm: HashAlgorithm): ThreadHash {
    const id = ++this.#lastId
    const stream = new ThreadHash(id, this)
    if (this.#streams.size === 0) this.#worker.ref()
    this.#streams.set(id, stream)
    this.order({ id, algorithm })
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

/** A digest computed on the thread, which sees the bytes where they lie. */
export class ThreadHash {
  readonly #id: number
  readonly #thread: HashThread
  readonly #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  #error: Error | undefined

  constructor(id: number, thread: HashThread) {
    this.#id = id
    this.#thread = thread
  }

  /** Lends bytes of a slab, which must not change until this resolves: they are hashed then. */
  async update(bytes: Slab): Promise<void> {
    await this.#ask({ id: this.#id, bytes })
  }

  async hex(): Promise<string> {
    const { hex = '' } = await this.#ask({ id: this.#id, isEnd: true })
    this.#thread.release(this.#id)
    return hex
  }

  /** Forgets a stream that will not end. */
  drop(): void {
    this.#thread.order({ id: this.#id, isDropped: true })
    this.#thread.release(this.#id)
  }

  /** Answers come in the order of what was asked. */
  answered(answer: Answer): void {
    this.#waiting.shift()?.resolve(answer)
  }

  failed(error: Error): void {
    this.#error = error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  #ask(order: Order): Promise<Answer> {
    if (this.#error) return Promise.reject(this.#error)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#thread.order(order)
    })
  }
}

let thread: HashThread | undefined

/** Begins a digest on the thread; it ends with `hex()` or `drop()`. */
export function openThreadHash(algorithm: HashAlgorithm): ThreadHash {
  thread ??= new HashThread(() => (thread = undefined))
  return thread.open(algorithm)
}
