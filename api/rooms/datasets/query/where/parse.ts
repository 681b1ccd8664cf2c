import {
  comparisons,
  functions,
  type Comparison,
  type Condition,
  type Order,
  type Predicate,
  type Term,
  type Value,
} from './ast.ts'
import { syntaxFault, tokensOf, type Token } from './tokens.ts'

const MAX_BYTES = 4096
const MAX_PREDICATES = 50
const MAX_DEPTH = 20
const MAX_IN = 100

const keywords = new Set(
  'AND OR NOT LIKE ILIKE GLOB IS NULL TRUE FALSE IN BETWEEN ASC DESC SELECT FROM WHERE CASE CAST'.split(' '),
)

class Reader {
  readonly #tokens: Token[]
  #at = 0
  #predicates = 0
  #depth = 0

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  or(): Condition {
    return this.#joined('or', 'OR', () => this.#joined('and', 'AND', () => this.#not()))
  }

  order(): Order {
    const term = this.#term()
    const isDescending = this.#skipWord('DESC')
    if (!isDescending) this.#skipWord('ASC')
    return { term, isDescending }
  }

  end(): void {
    const token = this.#peek()
    if (token.kind !== 'end') throw this.#unexpected('the end')
  }

  #joined(kind: 'and' | 'or', word: string, read: () => Condition): Condition {
    const parts = [read()]
    while (this.#skipWord(word)) parts.push(read())
    return parts.length === 1 && parts[0] ? parts[0] : { kind, parts }
  }

  #not(): Condition {
    if (this.#skipWord('NOT')) return { kind: 'not', part: this.#deeper(() => this.#not()) }
    if (!this.#skipSign('(')) return this.#predicate()
    const inner = this.#deeper(() => this.or())
    this.#sign(')')
    return inner
  }

  #deeper(read: () => Condition): Condition {
    if (++this.#depth > MAX_DEPTH)
      throw syntaxFault(`The filter is nested deeper than ${MAX_DEPTH} levels`, this.#peek().at)
    const inner = read()
    this.#depth--
    return inner
  }

  #predicate(): Predicate {
    if (++this.#predicates > MAX_PREDICATES)
      throw syntaxFault(`The filter has more than ${MAX_PREDICATES} conditions`, this.#peek().at)
    const term = this.#term()
    const token = this.#peek()
    if (token.kind === 'sign' && isComparison(token.text)) {
      this.#at++
      return { kind: 'compare', term, sign: token.text, value: this.#value() }
    }
    if (this.#skipWord('IS')) {
      const isNot = this.#skipWord('NOT')
      for (const what of ['NULL', 'TRUE', 'FALSE'] as const)
        if (this.#skipWord(what)) return { kind: 'is', term, isNot, what }
      throw this.#unexpected('NULL, TRUE or FALSE')
    }
    const isNot = this.#skipWord('NOT')
    for (const word of ['LIKE', 'ILIKE', 'GLOB'] as const)
      if (this.#skipWord(word)) return { kind: 'like', term, word, isNot, pattern: this.#text() }
    if (this.#skipWord('IN')) return { kind: 'in', term, isNot, values: this.#list() }
    if (this.#skipWord('BETWEEN')) {
      const low = this.#value()
      if (!this.#skipWord('AND')) throw this.#unexpected('AND')
      return { kind: 'between', term, isNot, low, high: this.#value() }
    }
    throw this.#unexpected('a comparison')
  }

  #term(): Term {
    const { at } = this.#peek()
    const path = [this.#name()]
    while (this.#skipSign('.')) {
      const token = this.#peek()
      const [, open] = this.#tokens.slice(this.#at, this.#at + 2)
      const isCall = token.kind === 'name' && !token.isQuoted && open?.kind === 'sign' && open.text === '('
      if (!isCall) {
        path.push(this.#name())
        continue
      }
      const call = functions.find((name) => name === token.text.toLowerCase())
      if (!call)
        throw syntaxFault(`There is no function ${token.text}; use one of ${functions.join(', ')}`, token.at)
      this.#at++
      this.#sign('(')
      this.#sign(')')
      return { path, call, at }
    }
    return { path, at }
  }

  #name(): string {
    const token = this.#peek()
    if (token.kind !== 'name' || (!token.isQuoted && keywords.has(token.text.toUpperCase())))
      throw this.#unexpected('the name of a column')
    this.#at++
    return token.text
  }

  #value(): Value {
    const token = this.#peek()
    this.#at++
    if (token.kind === 'number') return { kind: 'number', text: token.text, at: token.at }
    if (token.kind === 'text') return { kind: 'text', text: token.text, at: token.at }
    const word = token.kind === 'name' && !token.isQuoted ? token.text.toUpperCase() : ''
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'boolean', value: word === 'TRUE', at: token.at }
    if (word === 'NULL') throw syntaxFault('Compare with IS NULL or IS NOT NULL', token.at)
    this.#at--
    throw this.#unexpected("a number, a text in '…', true or false")
  }

  #text(): string {
    const token = this.#peek()
    if (token.kind !== 'text') throw this.#unexpected("a text in '…'")
    this.#at++
    return token.text
  }

  #list(): Value[] {
    this.#sign('(')
    const values = [this.#value()]
    while (this.#skipSign(',')) {
      if (values.length === MAX_IN) throw syntaxFault(`IN takes ${MAX_IN} values at most`, this.#peek().at)
      values.push(this.#value())
    }
    this.#sign(')')
    return values
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', at: 0 }
  }

  #skipWord(word: string): boolean {
    const token = this.#peek()
    const isIt = token.kind === 'name' && !token.isQuoted && token.text.toUpperCase() === word
    if (isIt) this.#at++
    return isIt
  }

  #skipSign(sign: string): boolean {
    const token = this.#peek()
    const isIt = token.kind === 'sign' && token.text === sign
    if (isIt) this.#at++
    return isIt
  }

  #sign(sign: string): void {
    if (!this.#skipSign(sign)) throw this.#unexpected(`"${sign}"`)
  }

  #unexpected(wanted: string): Error {
    const token = this.#peek()
    const found = token.kind === 'end' ? 'the filter ends' : `found ${JSON.stringify(token.text)}`
    return syntaxFault(`Expected ${wanted}, ${found}`, token.at)
  }
}

const isComparison = (sign: string): sign is Comparison => (comparisons as readonly string[]).includes(sign)

function readerOf(text: string): Reader {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw syntaxFault(`The text is longer than ${MAX_BYTES} bytes`, MAX_BYTES)
  return new Reader(text)
}

/** The tree of a `where`. Throws `InvalidParameter` with what was expected, and where. */
export function parseWhere(text: string): Condition {
  const reader = readerOf(text)
  const condition = reader.or()
  reader.end()
  return condition
}

/** A column of an `orderby`, with its direction. */
export function parseOrder(text: string): Order {
  const reader = readerOf(text)
  const order = reader.order()
  reader.end()
  return order
}
