/** How far a command has come, for the person or the log that watches it. */
export interface Progress {
  step: string
  /** Objects done, of how many. */
  done: number
  total: number
  bytes: number
}

/** Hears of progress; called often. */
export type OnProgress = (progress: Progress) => void

/** Counts one step. */
export class Steps {
  readonly #step: string
  readonly #total: number
  readonly #report: OnProgress
  #done = 0
  #bytes = 0

  constructor(step: string, total: number, report: OnProgress) {
    this.#step = step
    this.#total = total
    this.#report = report
  }

  add(bytes: number, objects = 1): void {
    this.#done += objects
    this.#bytes += bytes
    this.#report({ step: this.#step, done: this.#done, total: this.#total, bytes: this.#bytes })
  }
}
