interface Offer {
  bytes: Uint8Array
  taken(): void
}

/** Hands the bytes that a task puts out to a reader, and lets the task go on when they are taken. */
export class Outlet {
  readonly #offers: Offer[] = []
  #outcome: { error?: unknown } | undefined
  #wake: () => void = () => undefined

  readonly put = (bytes: Uint8Array): Promise<void> =>
    new Promise((taken) => {
      this.#offers.push({ bytes, taken })
      this.#wake()
    })

  readonly end = (): void => {
    this.#outcome ??= {}
    this.#wake()
  }

  readonly fail = (error: unknown): void => {
    this.#outcome ??= { error }
    this.#wake()
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const offer = this.#offers.shift()
      if (offer) {
        offer.taken()
        yield offer.bytes
      } else if (this.#outcome) {
        if ('error' in this.#outcome) throw this.#outcome.error
        return
      } else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
