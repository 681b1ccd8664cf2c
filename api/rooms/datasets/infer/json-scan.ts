/** A JSON value that tells `1` from `1.0`, which `JSON.parse` does not. */
export type JsonNode =
  | { kind: 'null' | 'bool' | 'integer' | 'fraction' }
  | { kind: 'string'; text: string }
  | { kind: 'list'; items: JsonNode[] }
  | { kind: 'object'; fields: Map<string, JsonNode> }

/** Deeper values are refused: a hostile file could end the stack. */
const MAX_DEPTH = 512
/** A longer string is no time, and its text is not needed. */
const MAX_TEXT = 64

const maxInt64 = 2n ** 63n - 1n

/** Reads one JSON value. Throws `SyntaxError` for what is none, and for a key that comes twice. */
export function scanJson(text: string): JsonNode {
  const scan = new Scan(text)
  const node = scan.value(0)
  scan.end()
  return node
}

class Scan {
  readonly #text: string
  #at = 0
  readonly #string = /"(?:[^"\\]|\\.)*"/gsy
  readonly #number = /-?\d+(\.\d+)?([eE][+-]?\d+)?/gy
  readonly #word = /true|false|null|-?NaN|-?Inf(inity)?/gy
  readonly #space = /[ \t\r\n]*/gy

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw new SyntaxError('it is nested too deep')
    this.#skip()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#list(depth)
      case '"': {
        const raw = this.#take(this.#string)
        return { kind: 'string', text: raw.length > MAX_TEXT ? '' : (JSON.parse(raw) as string) }
      }
      case 't':
      case 'f':
      case 'n':
      case 'N':
      case 'I':
        return this.#wordNode()
      default:
        return this.#numberNode()
    }
  }

  end(): void {
    this.#skip()
    if (this.#at < this.#text.length) throw new SyntaxError(`there is more behind character ${this.#at}`)
  }

  #object(depth: number): JsonNode {
    const fields = new Map<string, JsonNode>()
    this.#at++
    for (let isFirst = true; !this.#closes('}', isFirst); isFirst = false) {
      this.#skip()
      const name = JSON.parse(this.#take(this.#string)) as string
      this.#expect(':')
      if (fields.has(name)) throw new SyntaxError(`the key ${JSON.stringify(name)} comes twice`)
      fields.set(name, this.value(depth + 1))
    }
    return { kind: 'object', fields }
  }

  #list(depth: number): JsonNode {
    const items: JsonNode[] = []
    this.#at++
    for (let isFirst = true; !this.#closes(']', isFirst); isFirst = false) items.push(this.value(depth + 1))
    return { kind: 'list', items }
  }

  /** Whether a container ends here; else takes the comma before the next member. */
  #closes(mark: string, isFirst: boolean): boolean {
    this.#skip()
    if (this.#text[this.#at] === mark) {
      this.#at++
      return true
    }
    if (!isFirst) this.#expect(',')
    return false
  }

  #wordNode(): JsonNode {
    const word = this.#take(this.#word)
    if (word === 'null') return { kind: 'null' }
    return { kind: word === 'true' || word === 'false' ? 'bool' : 'fraction' }
  }

  #numberNode(): JsonNode {
    const raw = this.#take(this.#number)
    const isInteger = /^-?\d+$/.test(raw)
    if (!isInteger) return { kind: 'fraction' }
    // pyarrow makes a double of what no 64 bits hold.
    const isSmall = raw.length < 19 || inRange(BigInt(raw))
    return { kind: isSmall ? 'integer' : 'fraction' }
  }

  #expect(mark: string): void {
    this.#skip()
    if (this.#text[this.#at] !== mark) throw new SyntaxError(`character ${this.#at} is no ${mark}`)
    this.#at++
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found === undefined) throw new SyntaxError(`character ${this.#at} begins no value`)
    this.#at += found.length
    return found
  }

  #skip(): void {
    this.#space.lastIndex = this.#at
    this.#at += this.#space.exec(this.#text)?.[0].length ?? 0
  }
}

const inRange = (number: bigint) => number <= maxInt64 && number >= -maxInt64 - 1n
