import { LRUCache } from 'lru-cache'
import { orAborted } from '../../../platform/flow/index.ts'
import type { Caller } from '../../../platform/flow/index.ts'

/** Kept so long when another attempt may find more. */
const PASSING_MS = 60_000

/** What an attempt found; `isFinal` when it follows from the objects alone, which never change. */
export interface Finding<T> {
  value: T
  isFinal: boolean
}

/** A search that is under way, and how many wait for it. */
interface Search<T> {
  found: Promise<T>
  waiting: number
  over: AbortController
}

/**
 * Answers that are expensive to find: remembered within bounded memory, and looked for once however many ask at once. A
 * search ends when the last of those who wait for it has gone.
 */
export class Remembered<T extends NonNullable<unknown>> {
  readonly #kept: LRUCache<string, T>
  readonly #running = new Map<string, Search<T>>()

  constructor(maxBytes: number, bytesOf: (value: T) => number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value) => 200 + bytesOf(value) })
  }

  /** What is remembered; nothing is looked for. */
  peek(key: string): T | undefined {
    return this.#kept.get(key)
  }

  /** `find` works for all who ask meanwhile, so it gets a caller of its own. */
  async get(key: string, { signal }: Caller, find: (all: Caller) => Promise<Finding<T>>): Promise<T> {
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const search = this.#running.get(key) ?? this.#begin(key, find)
    search.waiting++
    try {
      return await (signal ? orAborted(search.found, signal) : search.found)
    } finally {
      if (--search.waiting === 0) this.#end(key, search)
    }
  }

  #begin(key: string, find: (all: Caller) => Promise<Finding<T>>): Search<T> {
    const over = new AbortController()
    const search = { found: this.#find(key, find, over), waiting: 0, over }
    this.#running.set(key, search)
    return search
  }

  #end(key: string, search: Search<T>): void {
    this.#running.delete(key)
    search.over.abort()
  }

  async #find(
    key: string,
    find: (all: Caller) => Promise<Finding<T>>,
    { signal }: AbortController,
  ): Promise<T> {
    const { value, isFinal } = await find({ signal })
    this.#kept.set(key, value, isFinal ? {} : { ttl: PASSING_MS })
    return value
  }
}
