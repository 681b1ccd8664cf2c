import { derived, type ByteSource } from '../../storage/index.ts'
import { own } from './messages.ts'

/** Answers the `next` of a task with the bytes that pass by on their way to another reader. */
export class Feed {
  #into: Uint8Array | undefined
  #filled = 0
  #isEnded = false
  #failure: { error: unknown } | undefined
  #answer: (piece: Uint8Array | undefined) => void = () => undefined
  #ready: () => void = () => undefined

  /** The question's answer: `memory`, filled; `undefined` at the end. */
  readonly next = (memory: ArrayBuffer): Promise<Uint8Array | undefined> =>
    new Promise((resolve) => {
      this.#into = new Uint8Array(memory)
      this.#filled = 0
      this.#answer = resolve
      if (this.#isEnded) this.#hand()
      this.#ready()
    })

  /** The task is over; whoever still writes learns of it. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#ready()
  }

  /** Resolves when the chunk is copied, which waits for a task that is two pieces behind. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      while (!this.#into) await this.#untilReady()
      const into = this.#into
      const taken = Math.min(into.length - this.#filled, chunk.length - at)
      into.set(chunk.subarray(at, at + taken), this.#filled)
      this.#filled += taken
      at += taken
      if (this.#filled === into.length) this.#hand()
    }
    if (this.#failure) throw this.#failure.error
  }

  /** No more bytes come. */
  end(): void {
    this.#isEnded = true
    if (this.#into) this.#hand()
  }

  #hand(): void {
    const piece = this.#into?.subarray(0, this.#filled)
    this.#into = undefined
    this.#answer(piece && piece.length > 0 ? own(piece) : undefined)
  }

  async #untilReady(): Promise<void> {
    if (!this.#failure) await new Promise<void>((resolve) => (this.#ready = resolve))
    if (this.#failure) throw this.#failure.error
  }
}

/**
 * The bytes of `source`, which the task that `begin` starts reads at the same time: they end only when it has found them
 * good, and throw what it throws, so that a store never keeps what was not verified.
 */
export function fed(
  source: ByteSource,
  begin: (feed: Feed, signal: AbortSignal) => Promise<unknown>,
): ByteSource {
  return derived([source], async function* () {
    const givenUp = new AbortController()
    const feed = new Feed()
    const task = begin(feed, givenUp.signal)
    task.catch((error: unknown) => feed.fail(error))
    try {
      for await (const chunk of source) {
        await feed.write(chunk)
        yield chunk
      }
      feed.end()
      await task
    } finally {
      givenUp.abort(new Error('the bytes broke off'))
    }
  })
}
