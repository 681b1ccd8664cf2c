import { LRUCache } from 'lru-cache'

/** Kept so long when another attempt may find more. */
const PASSING_MS = 60_000

/** What an attempt found; `isFinal` when it follows from the objects alone, which never change. */
export interface Finding<T> {
  value: T
  isFinal: boolean
}

/** Answers that are expensive to find: remembered within bounded memory, and looked for once however many ask at once. */
export class Remembered<T extends NonNullable<unknown>> {
  readonly #kept: LRUCache<string, T>
  readonly #running = new Map<string, Promise<T>>()

  constructor(maxBytes: number, bytesOf: (value: T) => number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value) => 200 + bytesOf(value) })
  }

  /** What is remembered; nothing is looked for. */
  peek(key: string): T | undefined {
    return this.#kept.get(key)
  }

  async get(key: string, find: () => Promise<Finding<T>>): Promise<T> {
    const known = this.#kept.get(key) ?? this.#running.get(key)
    if (known !== undefined) return known
    const running = this.#find(key, find).finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }

  async #find(key: string, find: () => Promise<Finding<T>>): Promise<T> {
    const { value, isFinal } = await find()
    this.#kept.set(key, value, isFinal ? {} : { ttl: PASSING_MS })
    return value
  }
}
