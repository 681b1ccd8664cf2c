import { returnSlab, type Slab } from '../../../platform/direct-io/index.ts'
import { cancel, derived, inSlabs, TooManyBytes, type ByteSource } from '../../../stores/storage/index.ts'

/**
 * Lends slabs of bytes to a task. Its question `next` is answered with a slab, and says whether the task is done with the
 * oldest that it has; two are at the task while one is filled.
 */
export class Feed {
  readonly #asks: ((slab: Slab | undefined) => void)[] = []
  readonly #lent: Slab[] = []
  readonly #back: Slab[] = []
  #isEnded = false
  #failure: { error: unknown } | undefined
  #wake: () => void = () => undefined

  readonly next = (isOneDone?: boolean): Promise<Slab | undefined> => {
    if (isOneDone) this.#back.push(...this.#lent.splice(0, 1))
    return new Promise((resolve) => {
      if (this.#isEnded) return resolve(undefined)
      this.#asks.push(resolve)
      this.#wake()
    })
  }

  /** The task is over; the lender learns of it. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake()
  }

  /** Resolves when the task has taken the slab. */
  async lend(slab: Slab): Promise<void> {
    while (this.#asks.length === 0 && !this.#failure)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#failure) throw this.#failure.error
    this.#lent.push(slab)
    this.#asks.shift()?.(slab)
  }

  /** Slabs that came back, in the order they were lent. */
  *returned(): Generator<Slab> {
    for (let slab = this.#back.shift(); slab; slab = this.#back.shift()) yield slab
  }

  /** No more bytes come. */
  end(): void {
    this.#isEnded = true
    for (const answer of this.#asks.splice(0)) answer(undefined)
  }
}

/**
 * The bytes of `source` in slabs, each when the task that `begin` starts has looked at it. They end only when the
 * task has found them good, and throw what it throws, so that a store never keeps what was not verified. Throws
 * `TooManyBytes` above `maxBytes`.
 */
export function fed(
  source: ByteSource,
  begin: (feed: Feed, signal: AbortSignal) => Promise<unknown>,
  maxBytes = Infinity,
): ByteSource {
  const run = async function* () {
    const givenUp = new AbortController()
    const feed = new Feed()
    const task = begin(feed, givenUp.signal)
    task.catch((error: unknown) => feed.fail(error))
    try {
      let sizeBytes = 0
      for await (const slab of inSlabs(source, true)) {
        sizeBytes += slab.length
        if (sizeBytes > maxBytes) throw new TooManyBytes(maxBytes)
        await feed.lend(slab)
        yield* feed.returned()
      }
      feed.end()
      await task
      yield* feed.returned()
    } finally {
      givenUp.abort(new Error('the bytes broke off'))
    }
  }
  return Object.assign(derived([source], run), { giveBack: returnSlab })
}

/** Lends a task the bytes of a source that has no other reader: the answers to a question like `next` of `Feed`. */
export function lending(source: ByteSource): { next: Feed['next']; close(): Promise<void> } {
  const slabs = inSlabs(source, true)
  const lent: Slab[] = []
  return {
    async next(isOneDone) {
      if (isOneDone) lent.splice(0, 1).forEach(returnSlab)
      const step = await slabs.next()
      if (step.done) return undefined
      lent.push(step.value)
      return step.value
    },
    // Not by `slabs`, a generator, which releases nothing before its start.
    close: () => cancel(source),
  }
}
