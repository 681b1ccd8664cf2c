import { setImmediate as breathe } from 'node:timers/promises'

/** How long a loop may run before others get their turn. Twenty loops at once then keep one another waiting 100 ms. */
const TURN_MS = 5

/**
 * Shares the event loop between long loops and everyone else: `if (turns.isOver) await turns.next()` in each round, or
 * `await turns.breathe()` where the round awaits something anyway. Rounds that find everything in memory never leave the
 * thread by themselves.
 */
export class Turns {
  readonly #signal: AbortSignal | undefined
  #began = performance.now()

  /** With a signal, `next` throws its reason once it aborts. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS
  }

  /** Lets others have their turn when this one is over. */
  async breathe(): Promise<void> {
    if (this.isOver) await this.next()
  }

  async next(): Promise<void> {
    await breathe()
    this.#signal?.throwIfAborted()
    this.#began = performance.now()
  }
}
