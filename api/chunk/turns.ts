interface Limits {
  /** Turns of one key at a time. */
  perKey: number
  /** Turns of all keys together. */
  all: number
}

interface Waiting {
  key: string
  begin(): void
}

/** Lets so much work go on at once, for each key and in all; the rest waits in the order it came. */
export class Turns {
  readonly #limits: Limits
  readonly #taken = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #all = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(key)) this.#count(key, 1)
    else await new Promise<void>((begin) => this.#waiting.push({ key, begin }))
    try {
      return await work()
    } finally {
      this.#count(key, -1)
      this.#beginNext()
    }
  }

  #isFree(key: string): boolean {
    return this.#all < this.#limits.all && (this.#taken.get(key) ?? 0) < this.#limits.perKey
  }

  #count(key: string, by: number): void {
    this.#all += by
    const taken = (this.#taken.get(key) ?? 0) + by
    if (taken === 0) this.#taken.delete(key)
    else this.#taken.set(key, taken)
  }

  #beginNext(): void {
    const at = this.#waiting.findIndex(({ key }) => this.#isFree(key))
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
    if (!next) return
    this.#count(next.key, 1)
    next.begin()
  }
}
