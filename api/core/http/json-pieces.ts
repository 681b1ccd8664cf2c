import { Turns } from '../../platform/flow/index.ts'
import {
  backslash,
  closeList,
  closeObject,
  colon,
  comma,
  LONG_BYTES,
  lowerU,
  openList,
  openObject,
  quote,
} from './json-shape.ts'

/** JSON that is read piece by piece. */
export interface LongJson {
  bytes: Buffer
  /** Where the JSON begins. */
  from: number
  /** Start → end of what is too long for one turn of the event loop; whatever is not in it is short. */
  long: ReadonlyMap<number, number>
  /** What a short text says; throws what it throws for one that is no JSON. */
  parse(text: string): unknown
  /** Looks at a value, a piece of a text or a name at a place of the whole. */
  check(value: unknown, field: string): void
}

/** What long JSON says, or `undefined` where it is blank; others have their turn while it is read. */
export async function readInPieces(json: LongJson): Promise<unknown> {
  return new Pieces(json).whole()
}

/** Enough to find the place by. */
const MAX_FIELD_LENGTH = 500

/** A place within the place `field`. */
export function below(field: string, name: string): string {
  return (field === '' ? name : `${field}.${name}`).slice(0, MAX_FIELD_LENGTH)
}

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const isContinuation = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80
const [shortEscape, unicodeEscape] = [2, 6]
/** Of a text with halves of surrogate pairs, a piece may end behind the first half. */
const isHighHalf = (text: string) => /[\ud800-\udbff]$/.test(text)

class Pieces {
  readonly #json: LongJson
  readonly #bytes: Buffer
  readonly #turns = new Turns()
  #at: number

  constructor(json: LongJson) {
    this.#json = json
    this.#bytes = json.bytes
    this.#at = json.from
  }

  async whole(): Promise<unknown> {
    await this.#skipBlanks()
    if (this.#at === this.#bytes.length) return undefined
    const value = await this.#value('')
    await this.#skipBlanks()
    if (this.#at < this.#bytes.length) this.#refuse()
    return value
  }

  async #value(field: string): Promise<unknown> {
    const end = this.#json.long.get(this.#at)
    if (end === undefined) return this.#short(field)
    const first = this.#bytes[this.#at]
    if (first === quote) return this.#longText(end, field)
    if (this.#bytes[end - 1] !== (first === openList ? closeList : closeObject)) this.#refuse()
    return first === openList ? this.#longList(end, field) : this.#longObject(end, field)
  }

  async #short(field: string): Promise<unknown> {
    await this.#turns.breathe()
    const end = this.#endOfShort()
    const value = this.#json.parse(this.#bytes.toString('utf8', this.#at, end))
    this.#json.check(value, field)
    this.#at = end
    return value
  }

  async #longList(end: number, field: string): Promise<unknown[]> {
    const list: unknown[] = []
    await this.#members(end, async () => {
      list.push(await this.#value(below(field, String(list.length))))
    })
    return list
  }

  async #longObject(end: number, field: string): Promise<object> {
    const object = {}
    await this.#members(end, async () => {
      if (this.#bytes[this.#at] !== quote) this.#refuse()
      const name = (await this.#value(field)) as string
      await this.#skipBlanks()
      if (this.#bytes[this.#at++] !== colon) this.#refuse()
      await this.#skipBlanks()
      const value = await this.#value(below(field, name))
      // As JSON.parse does, also for the name `__proto__`.
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
    })
    return object
  }

  /** Reads what lies between the brackets of a list or an object that ends before `end`. */
  async #members(end: number, read: () => Promise<void>): Promise<void> {
    const last = end - 1
    this.#at++
    await this.#skipBlanks()
    while (this.#at < last) {
      await read()
      await this.#skipBlanks()
      if (this.#at === last) break
      if (this.#bytes[this.#at++] !== comma) this.#refuse()
      await this.#skipBlanks()
      if (this.#at === last) this.#refuse()
    }
    this.#at = end
  }

  async #longText(end: number, field: string): Promise<string> {
    const pieces: string[] = []
    let held = ''
    for (let from = this.#at + 1; from < end - 1;) {
      const to = this.#cut(from, end - 1)
      const text = held + (this.#json.parse(`"${this.#bytes.toString('utf8', from, to)}"`) as string)
      held = to < end - 1 && isHighHalf(text) ? text.slice(-1) : ''
      const piece = held === '' ? text : text.slice(0, -1)
      this.#json.check(piece, field)
      pieces.push(piece)
      from = to
      await this.#turns.breathe()
    }
    this.#at = end
    return pieces.join('')
  }

  /** Where a piece of a text ends that begins at `from`: between two escapes, and between two characters. */
  #cut(from: number, end: number): number {
    const wanted = from + LONG_BYTES
    let at = from
    while (at < wanted) {
      const next = this.#bytes.indexOf(backslash, at)
      if (next === -1 || next >= wanted) at = wanted
      else at = next + (this.#bytes[next + 1] === lowerU ? unicodeEscape : shortEscape)
    }
    for (let more = 0; more < 3 && isContinuation(this.#bytes[at]); more++) at++
    return Math.min(at, end)
  }

  #endOfShort(): number {
    const limit = Math.min(this.#bytes.length, this.#at + LONG_BYTES + 1)
    const first = this.#bytes[this.#at]
    if (first === quote) return this.#endOfText(this.#at, limit)
    const isNested = first === openList || first === openObject
    let depth = 0
    for (let at = this.#at; at < limit; at++) {
      const byte = this.#bytes[at]
      if (byte === quote && isNested) at = this.#endOfText(at, limit) - 1
      else if (byte === openList || byte === openObject) depth++
      else if (byte === closeList || byte === closeObject) {
        if (depth <= 1) return isNested ? at + 1 : at
        depth--
      } else if (!isNested && (byte === comma || isBlank(byte))) return at
    }
    return isNested || limit < this.#bytes.length ? this.#refuse() : limit
  }

  #endOfText(from: number, limit: number): number {
    for (let at = from + 1; at < limit; at++)
      if (this.#bytes[at] === backslash) at++
      else if (this.#bytes[at] === quote) return at + 1
    return this.#refuse()
  }

  async #skipBlanks(): Promise<void> {
    for (let skipped = 0; isBlank(this.#bytes[this.#at]); this.#at++)
      if (++skipped % LONG_BYTES === 0) await this.#turns.next()
  }

  #refuse(): never {
    // No JSON: the reader reports it in its own words.
    this.#json.parse('')
    throw new SyntaxError('no JSON')
  }
}
