import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../../platform/problems/index.ts'

/** How deep JSON may nest. */
const MAX_DEPTH = 64
/** Looked through in one turn of the event loop: about 2 ms. */
const TURN_BYTES = 1024 * 1024
/** A value of more bytes is read piece by piece. `JSON.parse` takes 2.5 ms for 1 MiB of text. */
export const LONG_BYTES = 256 * 1024

export const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
export const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
export const lowerU = 0x75
const lowerD = 0x64
const caseBit = 0x20

/** What a look through the bytes of JSON found, up to a place. */
class Shape {
  readonly #bytes: Uint8Array
  readonly #maxValues: number
  #at = 0
  #values = 0
  #isInText = false
  #textAt = 0
  /** Where the lists and objects around this place begin. */
  readonly #open: number[] = []
  /** Start → end of texts, lists and objects of more than `LONG_BYTES`. */
  readonly long = new Map<number, number>()
  /** Escapes from `\uD8`: JSON can write half of a surrogate pair. */
  hasSurrogates = false

  constructor(bytes: Uint8Array, maxValues: number) {
    this.#bytes = bytes
    this.#maxValues = maxValues
  }

  get isWhole(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Reads on, until `end` at the most. */
  readTo(end: number): void {
    const bytes = this.#bytes
    const last = Math.min(end, bytes.length)
    let at = this.#at
    while (at < last) {
      const byte = bytes[at++]
      if (this.#isInText) {
        if (byte === quote) {
          this.#isInText = false
          this.#note(this.#textAt, at)
        } else if (byte === backslash) {
          if (bytes[at] === lowerU && ((bytes[at + 1] ?? 0) | caseBit) === lowerD) this.hasSurrogates = true
          at++
        }
      } else if (byte === quote) {
        this.#isInText = true
        this.#textAt = at - 1
      } else if (byte === comma || byte === colon) this.#count()
      else if (byte === openList || byte === openObject) {
        this.#count()
        if (this.#open.push(at - 1) > MAX_DEPTH) throw tooDeep()
      } else if (byte === closeList || byte === closeObject) this.#note(this.#open.pop(), at)
    }
    this.#at = at
  }

  #note(start: number | undefined, end: number): void {
    if (start !== undefined && end - start > LONG_BYTES) this.long.set(start, end)
  }

  #count(): void {
    if (++this.#values > this.#maxValues)
      throw new Problem('body-too-large', {
        detail: `The JSON may hold at most ${this.#maxValues} values and names.`,
      })
  }
}

const tooDeep = () =>
  new Problem('invalid-request', { detail: `The JSON may be nested at most ${MAX_DEPTH} levels deep.` })

/**
 * Looks through the bytes of JSON, one MiB in a turn of the event loop. Problems: `invalid-request` for JSON nested deeper
 * than 64 levels, `body-too-large` for more than `maxValues` values and names.
 */
export async function shapeOf(bytes: Uint8Array, maxValues: number): Promise<Shape> {
  const shape = new Shape(bytes, maxValues)
  for (let end = TURN_BYTES; ; end += TURN_BYTES) {
    shape.readTo(end)
    if (shape.isWhole) return shape
    await nextTurn()
  }
}
