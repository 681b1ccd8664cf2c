import { orAborted } from '../../../platform/flow/index.ts'

interface Waiting {
  bytes: number
  limit: number
  begin: () => void
}

/** Bytes that may be held at once; who finds none waits in the order they came. */
export class Room {
  #held = 0
  #waiting: Waiting[] = []

  /** Resolves once `bytes` fit under `limit` beside what others hold; alone they always fit. */
  async take(bytes: number, limit: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(bytes, limit)) {
      this.#held += bytes
      return
    }
    let waiting: Waiting | undefined
    const turn = new Promise<void>((begin) => {
      waiting = { bytes, limit, begin }
      this.#waiting.push(waiting)
    })
    try {
      await orAborted(turn, signal)
    } catch (reason) {
      if (waiting && this.#waiting.includes(waiting)) {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        this.#beginNext()
      } else this.giveBack(bytes)
      throw reason
    }
  }

  giveBack(bytes: number): void {
    this.#held -= bytes
    this.#beginNext()
  }

  #fits(bytes: number, limit: number): boolean {
    return this.#held === 0 || this.#held + bytes <= limit
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes, next.limit); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#held += next.bytes
      next.begin()
    }
  }
}
