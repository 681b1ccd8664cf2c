import type { NamedFeature } from '../../../shared/viewer.ts'
import { kindOf, labelNames, membersOf, type Kind } from '../../ui/grid/feature-types.ts'

/** A column, or a member of a struct in it: `['meta', 'language']`. */
export type ColumnPath = string[]

const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const
const tests = ['IS NULL', 'IS NOT NULL', 'IS TRUE', 'IS FALSE'] as const
const patterns = ['ILIKE', 'NOT ILIKE'] as const

export type Operator = (typeof comparisons)[number] | (typeof tests)[number] | (typeof patterns)[number]

/** One line of the filter form. */
export interface Condition {
  column: ColumnPath
  /** Compares the length of a text or list instead of its value. */
  isLength?: boolean
  operator: Operator
  /** A number, or a text without its quotes; nothing where the operator needs none. */
  value: string
}

/** A filter that the form can show: conditions that all hold, or of which one holds. */
export interface FlatFilter {
  join: 'AND' | 'OR'
  conditions: Condition[]
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`
const isNumber = (text: string) => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)

/** A column as filters and sort orders name it. */
export const columnText = (column: ColumnPath): string => column.map(quoteName).join('.')

/** Whether an operator is followed by a value. */
export const needsValue = (operator: Operator): boolean => !operator.startsWith('IS ')

/** The kinds whose values are written without quotes. */
const isBare = (kind: Kind | undefined) => kind === 'number' || kind === 'bool'

/** A condition as the `where` text writes it. */
function conditionText({ column, isLength, operator, value }: Condition, kind?: Kind): string {
  const term = columnText(column) + (isLength ? '.length()' : '')
  if (!needsValue(operator)) return `${term} ${operator}`
  const isPlain = isNumber(value) && (isLength || isBare(kind))
  return `${term} ${operator} ${isPlain ? value : quoteText(value)}`
}

/** A filter as `where` text. */
export function filterText({ join, conditions }: FlatFilter, columns: NamedFeature[]): string {
  return conditions
    .map((condition) => conditionText(condition, kindAt(columns, condition.column)))
    .join(` ${join} `)
}

/** `where` text that also demands the conditions. */
export function narrowed(where: string, more: Condition[], columns: NamedFeature[]): string {
  const added = filterText({ join: 'AND', conditions: more }, columns)
  if (!where.trim()) return added
  const before = parseFilter(where)
  const isJoined = before && (before.join === 'AND' || before.conditions.length === 1)
  return `${isJoined ? where : `(${where})`} AND ${added}`
}

/** What can be filtered: columns, and the members of structs, with their kinds. */
export function filterable(
  columns: NamedFeature[],
  above: ColumnPath = [],
): { path: ColumnPath; kind: Kind }[] {
  return columns.flatMap(({ name, type }) => {
    const path = [...above, name]
    const members = membersOf(type)
    return members.length > 0 ? filterable(members, path) : [{ path, kind: kindOf(type) }]
  })
}

/** The kind of the column at a path; `undefined` where there is none. */
export const kindAt = (columns: NamedFeature[], path: ColumnPath): Kind | undefined =>
  filterable(columns).find((column) => columnText(column.path) === columnText(path))?.kind

/** The names of the labels at a path. */
export function labelsAt(columns: NamedFeature[], path: ColumnPath): string[] {
  const [name, ...rest] = path
  const column = columns.find((one) => one.name === name)
  if (!column) return []
  return rest.length > 0 ? labelsAt(membersOf(column.type), rest) : labelNames(column.type)
}

const tokenAt =
  /\s*("(?:[^"]|"")+"|'(?:[^']|'')*'|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]+|<>|!=|<=|>=|[=<>.()])/y

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = []
  tokenAt.lastIndex = 0
  const source = text.trimEnd()
  while (tokenAt.lastIndex < source.length) {
    const token = tokenAt.exec(source)?.[1]
    if (token === undefined) return undefined
    tokens.push(token)
  }
  return tokens
}

/** The filter of a `where` text, or `undefined` where the form cannot show it: it nests, or is not valid. */
export function parseFilter(where: string): FlatFilter | undefined {
  const tokens = tokensOf(where)
  if (!tokens) return undefined
  const conditions: Condition[] = []
  const joins = new Set<string>()
  while (tokens.length > 0) {
    const condition = takeCondition(tokens)
    if (!condition) return undefined
    conditions.push(condition)
    if (tokens.length === 0) break
    joins.add(tokens.shift()!.toUpperCase())
    if (tokens.length === 0) return undefined
  }
  const [join = 'AND'] = joins
  if (joins.size > 1 || (join !== 'AND' && join !== 'OR')) return undefined
  return { join, conditions }
}

function takeCondition(tokens: string[]): Condition | undefined {
  const column: ColumnPath = []
  let isLength = false
  do {
    const token = tokens.shift()
    if (token === undefined) return undefined
    if (/^(len|length)$/i.test(token) && column.length > 0) {
      if (tokens.shift() !== '(' || tokens.shift() !== ')') return undefined
      isLength = true
      break
    }
    const isQuoted = token.startsWith('"')
    if (!isQuoted && !/^[A-Za-z_]+$/.test(token)) return undefined
    column.push(isQuoted ? token.slice(1, -1).replaceAll('""', '"') : token)
  } while (tokens[0] === '.' && tokens.shift())
  const operator = takeOperator(tokens)
  if (!operator) return undefined
  const value = needsValue(operator) ? takeValue(tokens) : ''
  return value === undefined ? undefined : { column, ...(isLength ? { isLength } : {}), operator, value }
}

function takeOperator(tokens: string[]): Operator | undefined {
  const known: readonly Operator[] = [...tests, ...patterns, ...comparisons]
  // The longest first: `IS NOT NULL` before `IS`.
  for (const length of [3, 2, 1]) {
    const text = tokens.slice(0, length).join(' ').toUpperCase().replace('!=', '<>')
    const operator = known.find((one) => one === text)
    if (operator) {
      tokens.splice(0, length)
      return operator
    }
  }
  return undefined
}

function takeValue(tokens: string[]): string | undefined {
  const token = tokens.shift()
  if (token?.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
  if (token !== undefined && (isNumber(token) || /^(true|false)$/i.test(token))) return token
  return undefined
}

/** The operators that make sense for a kind of column, with the words of the form. */
export function operatorsOf(kind: Kind): { operator: Operator; isLength?: boolean; words: string }[] {
  const empty = [
    { operator: 'IS NULL' as const, words: 'is null' },
    { operator: 'IS NOT NULL' as const, words: 'is not null' },
  ]
  const equal = [
    { operator: '=' as const, words: 'is' },
    { operator: '<>' as const, words: 'is not' },
  ]
  const order = (isLength: boolean) =>
    comparisons.slice(2).map((operator) => ({
      operator,
      ...(isLength ? { isLength } : {}),
      words: isLength ? `length ${operator}` : operator,
    }))
  if (kind === 'number' || kind === 'time') return [...equal, ...order(false), ...empty]
  if (kind === 'label') return [...equal, ...empty]
  if (kind === 'bool')
    return [{ operator: 'IS TRUE', words: 'is true' }, { operator: 'IS FALSE', words: 'is false' }, ...empty]
  if (kind === 'text')
    return [
      { operator: 'ILIKE', words: 'matches' },
      { operator: 'NOT ILIKE', words: 'does not match' },
      ...equal,
      ...order(true),
      ...empty,
    ]
  return kind === 'list' ? [...order(true), ...empty] : empty
}
