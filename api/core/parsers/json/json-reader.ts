import { FormatFault } from '../problem.ts'

/** Text that is no JSON; `at` counts UTF-16 code units. */
export class JsonFault extends FormatFault {
  constructor(message: string, at: number) {
    super('json', `${message} at character ${at}`)
  }
}

/** What a value is, by its first character. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'literal'

/** `serde_json` refuses what is nested deeper. */
const SERDE_DEPTH = 127
const QUOTE = 0x22
const BACKSLASH = 0x5c

const escapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Reads JSON piece by piece, without a tree: keys that come twice are seen, and 100 MB need no heap. It takes what
 * Rust's `serde_json` 1 takes, which refuses lone surrogates and numbers beyond a double. The caller reads
 * or skips the value of each key and item before the next. Throws `JsonFault`.
 */
export class JsonReader {
  readonly #more: () => string | undefined
  readonly #maxDepth: number
  #text = ''
  #at = 0
  #before = 0
  #depth = 0

  /** `more` answers the next piece of text, and nothing at the end. */
  constructor(more: () => string | undefined, maxDepth = SERDE_DEPTH) {
    this.#more = more
    this.#maxDepth = maxDepth
  }

  kind(): JsonKind {
    const code = this.#token()
    if (code === 0x7b) return 'object'
    if (code === 0x5b) return 'array'
    if (code === QUOTE) return 'string'
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return 'number'
    return 'literal'
  }

  /** The keys of an object. */
  *members(): Generator<string, void> {
    this.#open(0x7b)
    if (this.#token() === 0x7d) this.#at++
    else
      for (let isFirst = true; this.#hasNext(isFirst, 0x7d); isFirst = false) {
        if (this.#token() !== QUOTE) throw this.#fault('A key is missing')
        const key = this.string()
        if (this.#token() !== 0x3a) throw this.#fault('A colon is missing')
        this.#at++
        yield key
      }
    this.#depth--
  }

  /** Runs `read` for each item of an array; it reads or skips the item. */
  eachItem(read: () => void): void {
    this.#open(0x5b)
    if (this.#token() === 0x5d) this.#at++
    else for (let isFirst = true; this.#hasNext(isFirst, 0x5d); isFirst = false) read()
    this.#depth--
  }

  string(): string {
    if (this.#token() !== QUOTE) throw this.#fault('A string is missing')
    this.#at++
    let text = ''
    for (;;) {
      let end = this.#at
      let code = this.#text.charCodeAt(end)
      while (code !== QUOTE && code !== BACKSLASH && code >= 0x20) code = this.#text.charCodeAt(++end)
      text += this.#text.slice(this.#at, end)
      this.#at = end
      if (code === QUOTE) {
        this.#at++
        return text
      }
      if (code === BACKSLASH) text += this.#escape()
      else if (Number.isNaN(code) ? !this.#refill() : true) throw this.#fault('A string does not end')
    }
  }

  /** A number as it is written. */
  number(): string {
    this.#token()
    let text = ''
    for (let code = this.#peek(); isNumeric(code); code = this.#peek()) {
      text += String.fromCharCode(code)
      this.#at++
    }
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw this.#fault('A number is malformed')
    if (!Number.isFinite(Number(text))) throw this.#fault('A number is too large')
    return text
  }

  literal(): boolean | null {
    const first = this.#token()
    const word = first === 0x74 ? 'true' : first === 0x66 ? 'false' : 'null'
    for (let i = 0; i < word.length; i++) {
      if (this.#peek() !== word.charCodeAt(i)) throw this.#fault('A value is malformed')
      this.#at++
    }
    return word === 'null' ? null : word === 'true'
  }

  /** Reads a value of any kind, and drops it. */
  skip(): void {
    const kind = this.kind()
    if (kind === 'string') this.string()
    else if (kind === 'number') this.number()
    else if (kind === 'literal') this.literal()
    else if (kind === 'array') this.eachItem(() => this.skip())
    else {
      const members = this.members()
      while (!members.next().done) this.skip()
    }
  }

  /** Only blanks may follow. */
  end(): void {
    if (this.#token() !== -1) throw this.#fault('Something follows the value')
  }

  #open(bracket: number): void {
    if (this.#token() !== bracket)
      throw this.#fault(bracket === 0x7b ? 'An object is missing' : 'A list is missing')
    this.#at++
    if (++this.#depth > this.#maxDepth)
      throw this.#fault(`The value is nested more than ${this.#maxDepth} deep`)
  }

  #hasNext(isFirst: boolean, closing: number): boolean {
    if (isFirst) return true
    const code = this.#token()
    if (code !== closing && code !== 0x2c) throw this.#fault('A comma is missing')
    this.#at++
    return code === 0x2c
  }

  #escape(): string {
    this.#at++
    const letter = this.#letter()
    if (letter !== 'u') {
      const meant = escapes[letter]
      if (meant === undefined) throw this.#fault('An escape is unknown')
      return meant
    }
    const first = this.#hex()
    if (first >= 0xdc00 && first <= 0xdfff) throw this.#fault('A surrogate stands alone')
    if (first < 0xd800 || first > 0xdbff) return String.fromCharCode(first)
    if (this.#letter() !== '\\' || this.#letter() !== 'u') throw this.#fault('A surrogate stands alone')
    const second = this.#hex()
    if (second < 0xdc00 || second > 0xdfff) throw this.#fault('A surrogate stands alone')
    return String.fromCharCode(first, second)
  }

  #hex(): number {
    const digits = this.#letter() + this.#letter() + this.#letter() + this.#letter()
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#fault('An escape is malformed')
    return Number.parseInt(digits, 16)
  }

  #letter(): string {
    const code = this.#peek()
    if (code === -1) throw this.#fault('A string does not end')
    this.#at++
    return String.fromCharCode(code)
  }

  /** The next character that is no blank, or -1. */
  #token(): number {
    let code = this.#peek()
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at++
      code = this.#peek()
    }
    return code
  }

  #peek(): number {
    if (this.#at < this.#text.length || this.#refill()) return this.#text.charCodeAt(this.#at)
    return -1
  }

  #refill(): boolean {
    for (let piece = this.#more(); piece !== undefined; piece = this.#more()) {
      this.#before += this.#text.length
      this.#text = piece
      this.#at = 0
      if (piece.length > 0) return true
    }
    return false
  }

  #fault(message: string): JsonFault {
    return new JsonFault(message, this.#before + this.#at)
  }
}

function isNumeric(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e ||
    (code | 0x20) === 0x65
  )
}

/** What is written as an unsigned integer of 64 bits; nothing for all else, `-0` and `1e2` among them. */
export function asU64(text: string): bigint | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined
  const value = BigInt(text)
  return value < 1n << 64n ? value : undefined
}
