import type { NamedFeature } from '../../../../../shared/viewer.ts'
import type { Condition, Order, Predicate, Value } from './ast.ts'
import { resolve, type Kind } from './columns.ts'
import { syntaxFault } from './tokens.ts'

/** A condition in SQL, whose values are bound by position as text and cast. */
export interface Bound {
  sql: string
  values: string[]
  /** Columns that a user names in it: `c0`, `c1`, … */
  named: string[]
}

class Translation {
  readonly values: string[] = []
  readonly named = new Set<string>()
  readonly #features: readonly NamedFeature[]

  constructor(features: readonly NamedFeature[]) {
    this.#features = features
  }

  condition(condition: Condition): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `(${condition.parts.map((part) => this.condition(part)).join(` ${condition.kind.toUpperCase()} `)})`
      case 'not':
        return `(NOT ${this.condition(condition.part)})`
      default:
        return `(${this.#predicate(condition)})`
    }
  }

  #predicate(predicate: Predicate): string {
    const { sql, kind, place } = resolve(predicate.term, this.#features)
    this.named.add(place)
    const not = 'isNot' in predicate && predicate.isNot ? 'NOT ' : ''
    switch (predicate.kind) {
      case 'is':
        if (predicate.what === 'NULL') return `${sql} IS ${not}NULL`
        if (kind.of !== 'boolean')
          throw syntaxFault('IS TRUE and IS FALSE are of boolean columns', predicate.term.at)
        return `${sql} IS ${not}${predicate.what}`
      case 'like':
        if (kind.of !== 'text')
          throw syntaxFault(`${predicate.word} is of columns with text`, predicate.term.at)
        return this.#like(sql, predicate)
      case 'compare':
        return `${sql} ${predicate.sign} ${this.#value(predicate.value, kind)}`
      case 'in':
        return `${sql} ${not}IN (${predicate.values.map((value) => this.#value(value, kind)).join(', ')})`
      case 'between':
        return `${sql} ${not}BETWEEN ${this.#value(predicate.low, kind)} AND ${this.#value(predicate.high, kind)}`
    }
  }

  #like(sql: string, { word, isNot, pattern }: Extract<Predicate, { kind: 'like' }>): string {
    const matched = `${sql} ${word} ${this.#bind(pattern, 'VARCHAR')}`
    return isNot ? `NOT (${matched})` : matched
  }

  #bind(text: string, type: string): string {
    this.values.push(text)
    return `CAST($${this.values.length} AS ${type})`
  }

  #value(value: Value, kind: Kind): string {
    const text = value.kind === 'boolean' ? String(value.value) : value.text
    const wrong = (what: string) => syntaxFault(`Compare this column with ${what}`, value.at)
    switch (kind.of) {
      case 'integer':
      case 'float':
      case 'float32':
      case 'decimal':
        if (value.kind !== 'number') throw wrong('a number')
        return this.#bind(text.replace(/^\+/, ''), numericType(text, kind))
      case 'label':
        return this.#label(value, kind.names)
      case 'text':
        if (value.kind !== 'text') throw wrong("text in '…'")
        return this.#bind(text, 'VARCHAR')
      case 'boolean':
        if (value.kind !== 'boolean') throw wrong('true or false')
        return this.#bind(text, 'BOOLEAN')
      case 'date':
      case 'time':
      case 'timestamp':
      case 'timestamptz':
        if (value.kind !== 'text' || !isTime(text, kind.of)) throw wrong(`${examples[kind.of]}`)
        return this.#bind(text.trim(), kind.of)
      default:
        throw wrong('IS NULL or IS NOT NULL alone')
    }
  }

  #label(value: Value, names: string[]): string {
    if (value.kind === 'number')
      return this.#bind(value.text.replace(/^\+/, ''), numericType(value.text, { of: 'integer' }))
    const index = value.kind === 'text' ? names.indexOf(value.text) : -1
    if (index < 0)
      throw syntaxFault(
        `There is no label ${JSON.stringify('text' in value ? value.text : value.value)}`,
        value.at,
      )
    return this.#bind(String(index), 'BIGINT')
  }
}

const examples = {
  date: "a date such as '2024-01-31'",
  time: "a time such as '13:45:00'",
  timestamp: "a time such as '2024-01-31 13:45:00'",
  timestamptz: "a time such as '2024-01-31 13:45:00Z'",
}

const clock = String.raw`([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?`
const day = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`
const zone = String.raw`(\s?(Z|[+-]\d\d(:?\d\d)?))?`
const shapes = {
  time: new RegExp(`^${clock}$`),
  date: new RegExp(`^${day}$`),
  timestamp: new RegExp(`^${day}([T ]${clock})?$`),
  timestamptz: new RegExp(`^${day}([T ]${clock}${zone})?$`),
}

function isTime(text: string, kind: keyof typeof shapes): boolean {
  const trimmed = text.trim()
  if (!shapes[kind].test(trimmed)) return false
  const [date = ''] = /^\d{4}-\d\d-\d\d/.exec(trimmed) ?? []
  // The 31st of February has the shape of a date.
  return kind === 'time' || new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
}

const MAX_INT64 = 2n ** 63n

/** The type that a number is compared in, so that neither it nor the column is rounded. */
function numericType(text: string, kind: Kind): string {
  if (kind.of === 'float') return 'DOUBLE'
  if (kind.of === 'float32') return 'FLOAT'
  const [, whole = '', , fraction = ''] = /^[+-]?(\d*)(\.(\d+))?$/.exec(text) ?? []
  if (whole + fraction === '' || whole.length + fraction.length > 37) return 'DOUBLE'
  const scale = Math.max(fraction.length, kind.of === 'decimal' ? kind.scale : 0)
  if (scale > 0) return whole.length + scale > 38 ? 'DOUBLE' : `DECIMAL(38, ${scale})`
  const value = BigInt(text.replace(/^\+/, ''))
  return value < MAX_INT64 && value >= -MAX_INT64 ? 'BIGINT' : 'HUGEINT'
}

/** A filter over the columns `c0`, `c1`, … of a view. Throws `InvalidParameter` for what its columns cannot do. */
export function translateWhere(condition: Condition, features: readonly NamedFeature[]): Bound {
  const translation = new Translation(features)
  const sql = translation.condition(condition)
  return { sql, values: translation.values, named: [...translation.named] }
}

/** An expression to sort by. */
export function translateOrder(
  { term }: Order,
  features: readonly NamedFeature[],
): Pick<Bound, 'sql' | 'named'> {
  const { sql, kind, place } = resolve(term, features)
  if (kind.of === 'list' || kind.of === 'other')
    throw syntaxFault(`Rows cannot be sorted by ${JSON.stringify(term.path.join('.'))}`, term.at)
  return { sql, named: [place] }
}
