import { own } from './messages.ts'

interface Offer {
  bytes: Uint8Array
  taken(spare: Uint8Array | undefined): void
}

/** Hands the bytes that a task puts out to a reader, and lets the task go on when they are taken. */
export class Outlet {
  readonly #offers: Offer[] = []
  readonly #spare: Uint8Array[] = []
  #outcome: { error?: unknown } | undefined
  #wake: () => void = () => undefined

  /** Resolves when the bytes are taken, with memory that came back. */
  readonly put = (bytes: Uint8Array): Promise<Uint8Array | undefined> =>
    new Promise((taken) => {
      this.#offers.push({ bytes, taken })
      this.#wake()
    })

  /** The reader is done with a chunk. */
  readonly giveBack = ({ buffer }: Uint8Array): void => {
    if (buffer instanceof ArrayBuffer) this.#spare.push(own(new Uint8Array(buffer)))
  }

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
        offer.taken(this.#spare.pop())
        yield offer.bytes
      } else if (this.#outcome) {
        if ('error' in this.#outcome) throw this.#outcome.error
        return
      } else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
