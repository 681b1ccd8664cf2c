import { returnSlab, type Slab, takeSlab } from '../../../platform/direct-io/index.ts'

interface Offer {
  bytes: Slab
  taken(): void
}

/** Lends a task slabs to fill, hands what it put into them to a reader, and lets the task go on when that is taken. */
export class Outlet {
  readonly #offers: Offer[] = []
  readonly #lent: Slab[] = []
  readonly #sizeBytes: number
  #outcome: { error?: unknown } | undefined
  #wake: () => void = () => undefined

  /** For a task that makes so many bytes. */
  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes
  }

  /** Answers with a slab to fill. With a number, once the reader has taken so many bytes of the oldest that was lent. */
  readonly put = async (filled?: number): Promise<Slab> => {
    const [full] = filled === undefined ? [] : this.#lent.splice(0, 1)
    if (full)
      await new Promise<void>((taken) => {
        this.#offers.push({ bytes: full.subarray(0, filled), taken })
        this.#wake()
      })
    const slab = takeSlab(this.#sizeBytes)
    this.#lent.push(slab)
    return slab
  }

  readonly end = (): void => {
    this.#outcome ??= {}
    this.#wake()
  }

  readonly fail = (error: unknown): void => {
    this.#outcome ??= { error }
    this.#wake()
  }

  async *bytes(): AsyncGenerator<Slab> {
    for (;;) {
      const offer = this.#offers.shift()
      if (offer) {
        offer.taken()
        yield offer.bytes
      } else if (this.#outcome) {
        if ('error' in this.#outcome) throw this.#outcome.error
        this.#lent.forEach(returnSlab)
        return
      } else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
