import { Problem } from '../problems/index.ts'

interface Limits {
  /** Works under way at once, of all keys together. */
  atOnce?: number
  /** Works of one key under way at once. */
  perKey?: number
  /** Works of one key that may wait; what comes beyond is refused. */
  maxWaiting?: number
}

interface Waiting {
  key: string
  begin: () => void
}

/** Bounds how much work runs at once, for each key and in all. The rest waits in the order it came. */
export class Limiter {
  readonly #atOnce: number
  readonly #perKey: number
  readonly #maxWaiting: number
  readonly #running = new Map<string, number>()
  #waiting: Waiting[] = []
  #all = 0

  constructor({ atOnce = Infinity, perKey = Infinity, maxWaiting = Infinity }: Limits) {
    this.#atOnce = atOnce
    this.#perKey = perKey
    this.#maxWaiting = maxWaiting
  }

  /** Runs `work` in its turn. Problem `temporarily-unavailable` where too much waits already. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.take({ key })
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits for a turn and resolves with the function that ends it. Rejects with the signal's reason when it aborts the
   * wait; Problem `temporarily-unavailable` where too much waits already.
   */
  async take({ key = '', signal }: { key?: string; signal?: AbortSignal } = {}): Promise<() => void> {
    if (this.#isFree(key)) this.#count(key, 1)
    else await this.#turn(key, signal)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#count(key, -1)
      this.#beginNext()
    }
  }

  async #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#waiting.filter((other) => other.key === key).length >= this.#maxWaiting)
      throw new Problem('temporarily-unavailable', { retryAfterS: 5 })
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal?.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { key, begin }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #isFree(key: string): boolean {
    return this.#all < this.#atOnce && (this.#running.get(key) ?? 0) < this.#perKey
  }

  #count(key: string, by: number): void {
    this.#all += by
    const running = (this.#running.get(key) ?? 0) + by
    if (running === 0) this.#running.delete(key)
    else this.#running.set(key, running)
  }

  #beginNext(): void {
    const at = this.#waiting.findIndex(({ key }) => this.#isFree(key))
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
    if (!next) return
    this.#count(next.key, 1)
    next.begin()
  }
}
