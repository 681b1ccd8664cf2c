/** What a transaction has asked for once it has committed. */
export class AfterCommit {
  readonly #calls: (() => void)[] = []

  readonly add = (then: () => void): void => {
    this.#calls.push(then)
  }

  run(): void {
    for (const call of this.#calls) call()
  }
}
