import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml'

/** The metadata block of a README and what stands around it. */
export interface Matter {
  /** All up to the YAML, with the opening `---`. */
  before: string
  yaml: string
  /** The closing `---` and the text of the card. */
  after: string
}

export type FieldValue = string | string[]

/** Blanks, `---`, YAML, `---`, as hub clients find it. */
const opening = /^\uFEFF?\s*---[^\S\n]*\r?\n/
const closing = /^---[^\S\n]*(?:\r?\n|$)/m

/** Splits a README; a card without a block gets an empty one before its text. `undefined` where the block has no end. */
export function splitCard(text: string): Matter | undefined {
  const start = opening.exec(text)?.[0]
  if (start === undefined) return { before: '---\n', yaml: '', after: `---\n${text && `\n${text}`}` }
  const rest = text.slice(start.length)
  const end = closing.exec(rest)
  if (!end) return undefined
  return { before: start, yaml: rest.slice(0, end.index), after: rest.slice(end.index) }
}

export const joinCard = ({ before, yaml, after }: Matter): string => `${before}${yaml}${after}`

interface Read {
  document: Document.Parsed
  map: YAMLMap.Parsed | undefined
}

/** Reads YAML; the fault where it cannot be edited by fields. */
export function readMatter(yaml: string): Read | { fault: string } {
  const document = parseDocument(yaml, { version: '1.2', schema: 'core', uniqueKeys: true })
  const [error] = document.errors
  if (error) return { fault: error.message.split('\n')[0] ?? 'The metadata is no YAML.' }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null))
    return { document, map: undefined }
  if (!isMap(contents)) return { fault: 'The metadata must be a map of keys and values.' }
  if (contents.flow) return { fault: 'The metadata is written in one line of braces.' }
  return { document, map: contents as YAMLMap.Parsed }
}

/**
 * The value of a field as text or a list of texts; `undefined` where it is missing, and `null` where it is something else, such
 * as a map, which fields cannot edit.
 */
export function fieldOf({ map }: Read, key: string): FieldValue | null | undefined {
  const value = pairOf(map, key)?.value
  if (value === undefined || value === null || (isScalar(value) && value.value === null)) return undefined
  if (isScalar(value)) return sourceText(value)
  if (!isSeq(value)) return null
  const items = value.items.map((item) =>
    isScalar(item) && item.value !== null ? sourceText(item) : undefined,
  )
  return items.every((item) => item !== undefined) ? items : null
}

/** What is written: `no` is the language, and `1.0` stays as it is. */
const sourceText = (scalar: { value: unknown; source?: string | undefined }): string =>
  typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value))

const pairOf = (map: YAMLMap.Parsed | undefined, key: string): Pair | undefined =>
  map?.items.find((pair) => isScalar(pair.key) && pair.key.value === key)

/**
 * The YAML with one field set, or removed where the value is empty. Every byte outside of the field stays: comments, order,
 * quotes, blank lines. An equal value changes nothing.
 */
export function withField(yaml: string, key: string, value: FieldValue | undefined): string {
  const read = readMatter(yaml)
  if ('fault' in read) return yaml
  const before = fieldOf(read, key)
  const wanted = value === undefined || value.length === 0 ? undefined : value
  if (JSON.stringify(asList(before)) === JSON.stringify(asList(wanted))) return yaml
  const eol = yaml.includes('\r\n') ? '\r\n' : '\n'
  const pair = pairOf(read.map, key)
  const line = wanted === undefined ? '' : lineOf(key, shapedAs(before, wanted)).replaceAll('\n', eol)
  if (!pair) return line === '' ? yaml : `${yaml}${yaml === '' || yaml.endsWith('\n') ? '' : eol}${line}`
  const [begin, end] = rangeOf(yaml, pair)
  return `${yaml.slice(0, begin)}${line}${yaml.slice(end)}`
}

const asList = (value: FieldValue | null | undefined): string[] =>
  value === undefined || value === null ? [] : typeof value === 'string' ? [value] : value

/** One text stays no list where it was none, and a list stays a list. */
function shapedAs(before: FieldValue | null | undefined, value: FieldValue): FieldValue {
  if (Array.isArray(value) && value.length === 1 && typeof before === 'string') return value[0] ?? ''
  return Array.isArray(before) && typeof value === 'string' ? [value] : value
}

/** Readers of YAML 1.1, the Python client among them, take a bare `no` for false: it is quoted. */
const lineOf = (key: string, value: FieldValue): string =>
  stringify(
    { [key]: value },
    { version: '1.2', schema: 'core', compat: 'yaml-1.1', lineWidth: 0, indentSeq: false },
  )

/** From the first character of the key to the end of the last line of its value, without comments that follow. */
function rangeOf(yaml: string, { key, value }: Pair): [number, number] {
  const [begin] = (key as { range: [number, number, number] }).range
  const keyEnd = (key as { range: [number, number, number] }).range[1]
  const valueEnd = lastEnd(value) ?? yaml.indexOf(':', keyEnd) + 1
  const lineEnd = yaml.indexOf('\n', valueEnd)
  // A value with its own last line break, such as a block of text, has ended already.
  if (yaml[valueEnd - 1] === '\n') return [begin, valueEnd]
  return [begin, lineEnd === -1 ? yaml.length : lineEnd + 1]
}

/** Where the last scalar of a value ends: the range of a collection goes on over the comments behind it. */
function lastEnd(node: unknown): number | undefined {
  if (isSeq(node) && !node.flow) {
    const ends = node.items.map((item) => lastEnd(item) ?? 0)
    return ends.length === 0 ? node.range?.[1] : Math.max(...ends)
  }
  if (isMap(node) && !node.flow) {
    const ends = node.items.map((pair) => Math.max(lastEnd(pair.value) ?? 0, lastEnd(pair.key) ?? 0))
    return ends.length === 0 ? node.range?.[1] : Math.max(...ends)
  }
  return (node as { range?: [number, number, number] } | null)?.range?.[1]
}
