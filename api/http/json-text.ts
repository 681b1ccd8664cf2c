import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidField, Problem } from '../problems/index.ts'

/** How deep JSON may nest, and how many values and names it may hold, beside the length of its text. */
const MAX_DEPTH = 64
/** Ten times what a list of 500 items needs. */
export const USUAL_VALUES = 32_000
/** A commit of 25 000 files needs 125 000 to 200 000. */
export const LARGE_VALUES = 250_000

/** Looked through in one turn of the event loop: about 2 ms. */
const TURN_BYTES = 1024 * 1024

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [lowerU, lowerD] = [0x75, 0x64]
const caseBit = 0x20

/** What a look through the bytes of JSON found, up to a place. */
class Shape {
  readonly #bytes: Uint8Array
  readonly #maxValues: number
  #at = 0
  #depth = 0
  #values = 0
  #isInText = false
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
        if (byte === quote) this.#isInText = false
        else if (byte === backslash) {
          if (bytes[at] === lowerU && ((bytes[at + 1] ?? 0) | caseBit) === lowerD) this.hasSurrogates = true
          at++
        }
      } else if (byte === quote) this.#isInText = true
      else if (byte === comma || byte === colon) this.#count()
      else if (byte === openList || byte === openObject) {
        this.#count()
        if (++this.#depth > MAX_DEPTH) throw tooDeep()
      } else if (byte === closeList || byte === closeObject) this.#depth--
    }
    this.#at = at
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
 * The text of a JSON body that is safe to parse at once: a small one takes milliseconds, and of a large one the bytes are
 * in few long texts. Problems: `invalid-request` for JSON nested deeper than 64 levels, `body-too-large` for more than
 * `maxValues` values and names, `validation-failed` for text that is no Unicode.
 */
export async function jsonText(bytes: Buffer, maxValues: number): Promise<string> {
  const shape = new Shape(bytes, maxValues)
  for (let end = TURN_BYTES; ; end += TURN_BYTES) {
    shape.readTo(end)
    if (shape.isWhole) break
    await nextTurn()
  }
  const text = withoutMark(bytes).toString('utf8')
  if (shape.hasSurrogates) refuseIllFormed(parseJson(text))
  return text
}

/** What `text` says; Problem `invalid-request` where it is no JSON. `what` names it to the caller. */
export function parseJson(text: string, what = 'The body'): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Problem('invalid-request', { detail: `${what} is not JSON.`, cause })
  }
}

/** As fetch reads a text: without a byte order mark. */
const withoutMark = (bytes: Buffer) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** Enough to find the place by. */
const MAX_FIELD_LENGTH = 500

function below(field: string, name: string): string {
  return (field === '' ? name : `${field}.${name}`).slice(0, MAX_FIELD_LENGTH)
}

const isIllFormed = /\p{Cs}/u

// UTF-8, and so files and databases, cannot hold half of a surrogate pair.
function refuseIllFormed(value: unknown, field = ''): void {
  if (typeof value === 'string' && isIllFormed.test(value))
    throw invalidField(field || 'body', 'must be Unicode, without halves of surrogate pairs')
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (isIllFormed.test(name)) throw invalidField(field || 'body', 'must have Unicode names')
    refuseIllFormed(member, below(field, name))
  }
}
