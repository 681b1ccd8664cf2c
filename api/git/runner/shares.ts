import { Slots } from './slots.ts'

/** Lets each caller have a bounded number of works at once; more of theirs wait, and beyond that are turned away. */
export class Shares {
  readonly #each: number
  readonly #maxWaiting: number
  readonly #callers = new Map<string, { slots: Slots; users: number }>()

  constructor(each: number, maxWaiting: number) {
    this.#each = each
    this.#maxWaiting = maxWaiting
  }

  /** Resolves with the function that gives the share back. Problem `temporarily-unavailable`. */
  async take(caller: string): Promise<() => void> {
    const found = this.#callers.get(caller) ?? { slots: new Slots(this.#each, this.#maxWaiting), users: 0 }
    this.#callers.set(caller, found)
    found.users++
    const leave = () => {
      if (--found.users === 0) this.#callers.delete(caller)
    }
    try {
      const giveBack = await found.slots.take()
      let isGivenBack = false
      return () => {
        if (isGivenBack) return
        isGivenBack = true
        giveBack()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}
