import type { FeatureType } from '../../../../../shared/viewer.ts'
import { DataFault } from '../fault.ts'
import type { FileRows, FileWanted } from './formats.ts'
import { textRow } from './text-cells.ts'

const MAX_COLUMNS = 1000

/** The members of an object, each value as its text, so that long integers keep their digits. The text is sound JSON. */
function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>()
  let at = text.indexOf('{') + 1
  const skip = () => {
    while (/[\s,:]/.test(text[at] ?? '')) at++
  }
  for (skip(); at < text.length && text[at] !== '}'; skip()) {
    const key = JSON.parse(text.slice(at, (at = stringEnd(text, at)))) as string
    skip()
    members.set(key, text.slice(at, (at = valueEnd(text, at))).trim())
  }
  return members
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function valueEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at) - 1
    else if (char === '{' || char === '[') depth++
    else if (depth === 0 && (char === ',' || char === '}')) return at
    else if (char === '}' || char === ']') depth--
  }
  return text.length
}

function parseLine(line: string, number: number): Map<string, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    throw new DataFault(`Line ${number} is not JSON.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new DataFault(`Line ${number} is not a JSON object.`)
  return membersOf(line)
}

/** The type of a column by the texts of its values. */
function typeOf(texts: string[]): FeatureType {
  const present = texts.filter((text) => text !== 'null')
  const all = (pattern: RegExp) => present.every((text) => pattern.test(text))
  const dtype = (name: string): FeatureType => ({ _type: 'Value', dtype: name })
  if (present.length === 0) return dtype('null')
  if (all(/^"/)) return dtype('string')
  if (all(/^(true|false)$/)) return dtype('bool')
  if (all(/^-?\d{1,18}$/)) return dtype('int64')
  if (all(/^-?\d/)) return dtype('float64')
  return { _type: 'Json' }
}

/** The first rows of a file with a JSON object in each line, by the text of its beginning. */
export function jsonlRows(
  text: string,
  { offset, length, cellBytes }: FileWanted,
  isWhole: boolean,
): FileRows {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, number: i + 1 }]))
  const shown = lines.slice(offset, offset + length).map(({ line, number }) => parseLine(line, number))
  const typed = lines.slice(0, 100).map(({ line, number }) => parseLine(line, number))
  const names = [...new Set([...typed, ...shown].flatMap((row) => [...row.keys()]))]
  if (names.length > MAX_COLUMNS)
    throw new DataFault(`The file has ${names.length} columns; ${MAX_COLUMNS} are shown at most.`)
  const features = names.map((name) => ({
    name,
    type: typeOf([...typed, ...shown].map((row) => row.get(name) ?? 'null')),
  }))
  return {
    features,
    rows: shown.map((row) =>
      textRow(
        names.map((name) => row.get(name) ?? 'null'),
        cellBytes,
      ),
    ),
    truncated: !isWhole || offset + length < lines.length,
    ...(isWhole ? { total: lines.length } : {}),
  }
}
