import { setImmediate as breathe } from 'node:timers/promises'

/** Who waits for a piece of work: a request, a job, a check. */
export interface Caller {
  /** Aborts when they wait no longer. May be made at its first use, so read it where it is needed. */
  readonly signal?: AbortSignal | undefined
}

/** How long a loop may run before others get their turn. Twenty loops at once then keep one another waiting 100 ms. */
const TURN_MS = 5

/**
 * Shares the event loop between long loops and everyone else: `if (turns.isOver) await turns.next()` in each round, or
 * `await turns.breathe()` where the round awaits something anyway. Rounds that find everything in memory never leave the
 * thread by themselves.
 */
export class Turns {
  readonly #caller: Caller | undefined
  #began = performance.now()

  /** With a caller, `next` throws the reason of their signal once it aborts. */
  constructor(caller?: Caller) {
    this.#caller = caller
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
    this.#caller?.signal?.throwIfAborted()
    this.#began = performance.now()
  }
}
