/**
 * Numbers for words that many repos share, so that a repo holds small numbers and a count is an array. A word that no
 * repo uses any more gives its number back.
 */
export class Terms {
  readonly #numbers = new Map<string, number>()
  readonly #words: (string | undefined)[] = []
  readonly #uses: number[] = []
  readonly #free: number[] = []

  /** One more than the highest number in use. */
  get size(): number {
    return this.#words.length
  }

  /** The numbers of the words, each of which is used once more. */
  take(words: readonly string[]): number[] {
    return words.map((word) => {
      const number = this.#numbers.get(word) ?? this.#add(word)
      this.#uses[number] = (this.#uses[number] ?? 0) + 1
      return number
    })
  }

  #add(word: string): number {
    const number = this.#free.pop() ?? this.#words.length
    this.#words[number] = word
    this.#uses[number] = 0
    this.#numbers.set(word, number)
    return number
  }

  /** Ends one use of each. */
  give(numbers: Iterable<number>): void {
    for (const number of numbers) {
      const uses = (this.#uses[number] ?? 0) - 1
      this.#uses[number] = uses
      if (uses > 0) continue
      this.#numbers.delete(this.#words[number] ?? '')
      this.#words[number] = undefined
      this.#free.push(number)
    }
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  wordOf(number: number): string | undefined {
    return this.#words[number]
  }

  /** Numbers of the words that fit. */
  *numbersOf(fits: (word: string) => boolean): Generator<number> {
    for (const [word, number] of this.#numbers) if (fits(word)) yield number
  }
}
