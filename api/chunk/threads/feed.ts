import {
  CHUNK_BYTES,
  derived,
  givingBackTo,
  inSlabs,
  TooManyBytes,
  type ByteSource,
  type Slab,
} from '../../storage/index.ts'
import { own } from './messages.ts'

/**
 * Lends slabs of bytes to a task. Its question `next` is answered with a slab, and gives back one that the task is done
 * with; two are at the task while one is filled.
 */
export class Feed {
  readonly #asks: ((slab: Uint8Array | undefined) => void)[] = []
  readonly #back: Uint8Array[] = []
  #isEnded = false
  #failure: { error: unknown } | undefined
  #wake: () => void = () => undefined

  readonly next = (back?: Uint8Array): Promise<Uint8Array | undefined> => {
    if (back) this.#back.push(back)
    return new Promise((resolve) => {
      if (this.#isEnded) return resolve(undefined)
      this.#asks.push(resolve)
      this.#wake()
    })
  }

  /** The task is over; whoever still lends learns of it. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake()
  }

  /** Resolves when the task has taken the slab. */
  async lend(slab: Slab): Promise<void> {
    while (this.#asks.length === 0 && !this.#failure)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#failure) throw this.#failure.error
    this.#asks.shift()?.(own(slab))
  }

  /** Slabs that came back, in the order they were lent. */
  *returned(): Generator<Uint8Array> {
    for (let slab = this.#back.shift(); slab; slab = this.#back.shift()) yield slab
  }

  /** No more bytes come. */
  end(): void {
    this.#isEnded = true
    for (const answer of this.#asks.splice(0)) answer(undefined)
  }
}

const newSlab = (): Slab => new Uint8Array(Buffer.allocUnsafeSlow(CHUNK_BYTES).buffer)

/**
 * The bytes of `source` in slabs of 1 MiB, each when the task that `begin` starts has looked at it. They end only when the
 * task has found them good, and throw what it throws, so that a store never keeps what was not verified. Throws
 * `TooManyBytes` above `maxBytes`.
 */
export function fed(
  source: ByteSource,
  begin: (feed: Feed, signal: AbortSignal) => Promise<unknown>,
  maxBytes = Infinity,
): ByteSource {
  const spare: Slab[] = []
  const run = async function* () {
    const givenUp = new AbortController()
    const feed = new Feed()
    const task = begin(feed, givenUp.signal)
    task.catch((error: unknown) => feed.fail(error))
    try {
      let sizeBytes = 0
      for await (const slab of inSlabs(source, () => spare.pop() ?? newSlab())) {
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
  return Object.assign(derived([source], run), { giveBack: givingBackTo(spare) })
}

/** Lends a task the bytes of a source that nobody else wants: the answers to a question like `next` of `Feed`.
 * `spare` is memory to use, and holds it again afterwards. */
export function lending(source: ByteSource, spare: Slab[]): { next: Feed['next']; close(): Promise<void> } {
  const giveBack = givingBackTo(spare)
  const slabs = inSlabs(source, () => spare.pop() ?? newSlab())
  return {
    async next(back) {
      if (back) giveBack(back)
      const step = await slabs.next()
      return step.done ? undefined : own(step.value)
    },
    async close() {
      await slabs.return(undefined)
    },
  }
}
