/** Asks the side that began the task. */
export type Ask = <A>(question: string, argument?: unknown) => Promise<A>

/** Bytes that go between the threads at once: two such pieces per task are on their way. */
export const PIECE_BYTES = 512 * 1024

/** Reads what the other side gives for a question, whose argument is memory to fill. The memory is used again and again. */
export class Pieces {
  readonly #ask: Ask
  readonly #question: string
  readonly #spare: ArrayBuffer[] = []

  constructor(ask: Ask, question: string) {
    this.#ask = ask
    this.#question = question
  }

  /** One piece is filled while the other is worked on; each is valid until the next one is asked for. */
  async *read(): AsyncGenerator<Uint8Array> {
    let coming = this.#next()
    for (;;) {
      const piece = await coming
      if (!piece) return
      coming = this.#next()
      // Whoever breaks off does not hear that the task was given up.
      coming.catch(() => undefined)
      yield piece
      this.#spare.push(piece.buffer as ArrayBuffer)
    }
  }

  #next(): Promise<Uint8Array | undefined> {
    return this.#ask(this.#question, this.#spare.pop() ?? new ArrayBuffer(PIECE_BYTES))
  }
}
