/** A run of digits that may not fit a double: 2^53 has 16. */
const longDigits = /\d{16}/
const numberAt = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const spaceAt = /[ \t\n\r]*/y

/** Deeper values would exhaust the stack of some browsers. */
const maxDepth = 2000

/**
 * JSON as `JSON.parse` reads it, but integers beyond 2^53 become `bigint` with all their digits.
 * @throws SyntaxError when the text is no JSON, or nested deeper than 2000
 */
export function parseExact(text: string): unknown {
  if (!longDigits.test(text)) return JSON.parse(text)
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

class Reader {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  value(depth: number): unknown {
    if (depth > maxDepth) throw new SyntaxError(`JSON nested deeper than ${maxDepth}`)
    this.space()
    const first = this.text[this.at]
    if (first === '{') return this.object(depth)
    if (first === '[') return this.array(depth)
    if (first === '"') return this.string()
    for (const [word, value] of words) if (this.text.startsWith(word, this.at)) return this.skip(word, value)
    return this.number()
  }

  end(): void {
    this.space()
    if (this.at < this.text.length) throw this.fault()
  }

  private object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.at++
    if (this.takes('}')) return object
    do {
      this.space()
      const name = this.string()
      if (!this.takes(':')) throw this.fault()
      setMember(object, name, this.value(depth + 1))
    } while (this.takes(','))
    if (!this.takes('}')) throw this.fault()
    return object
  }

  private array(depth: number): unknown[] {
    const array: unknown[] = []
    this.at++
    if (this.takes(']')) return array
    do array.push(this.value(depth + 1))
    while (this.takes(','))
    if (!this.takes(']')) throw this.fault()
    return array
  }

  private string(): string {
    if (this.text[this.at] !== '"') throw this.fault()
    // No pattern: on a string of megabytes its backtracking would exhaust the stack.
    let close = this.at
    do {
      close = this.text.indexOf('"', close + 1)
      if (close < 0) throw this.fault(this.text.length)
    } while (this.isEscaped(close))
    const from = this.at
    this.at = close + 1
    return JSON.parse(this.text.slice(from, this.at)) as string
  }

  /** Whether an odd number of backslashes precedes. */
  private isEscaped(at: number): boolean {
    let slashes = 0
    while (this.text[at - 1 - slashes] === '\\') slashes++
    return slashes % 2 === 1
  }

  private number(): number | bigint {
    const [digits, fraction, exponent] = this.match(numberAt)
    const value = Number(digits)
    const isWhole = fraction === undefined && exponent === undefined
    return isWhole && !Number.isSafeInteger(value) ? BigInt(digits) : value
  }

  private skip<T>(word: string, value: T): T {
    this.at += word.length
    return value
  }

  private takes(sign: string): boolean {
    this.space()
    if (this.text[this.at] !== sign) return false
    this.at++
    return true
  }

  private space(): void {
    spaceAt.lastIndex = this.at
    spaceAt.test(this.text)
    this.at = spaceAt.lastIndex
  }

  private match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) throw this.fault()
    this.at = pattern.lastIndex
    return found
  }

  private fault(at = this.at): SyntaxError {
    const isEnd = at >= this.text.length
    return new SyntaxError(isEnd ? 'Unexpected end of JSON' : `Unexpected character at ${at} of JSON`)
  }
}

const words: [string, true | false | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** As `JSON.parse` does, `__proto__` becomes an ordinary member. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The JSON of a value that {@link parseExact} read: what `JSON.stringify` writes, with `bigint` as an integer. */
export function stringifyExact(value: unknown, indent = 0): string {
  return write(value, indent ? ' '.repeat(indent) : '', '\n')
}

function write(value: unknown, step: string, line: string): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = line + step
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((member) => write(member, step, inner))
    : Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}:${step && ' '}${write(member, step, inner)}`,
      )
  const [open, close] = isList ? '[]' : '{}'
  if (members.length === 0) return `${open}${close}`
  return step
    ? `${open}${inner}${members.join(`,${inner}`)}${line}${close}`
    : `${open}${members.join(',')}${close}`
}
