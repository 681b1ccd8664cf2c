import { Problem } from '../../problems/index.ts'

/** Lets a bounded number of works run at once and a bounded number wait; beyond that Problem `temporarily-unavailable`. */
export class Slots {
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(slots: number, maxWaiting: number) {
    this.#free = slots
    this.#maxWaiting = maxWaiting
  }

  /** Resolves with the function that gives the slot back. Rejects with the signal's reason when it aborts the wait. */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else {
      if (this.#waiting.length >= this.#maxWaiting)
        throw new Problem('temporarily-unavailable', { retryAfterS: 5 })
      await this.#turn(signal)
    }
    let isGivenBack = false
    return () => {
      if (isGivenBack) return
      isGivenBack = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(signal?.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(begin)
    })
  }
}
