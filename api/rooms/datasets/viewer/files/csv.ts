import { numberText } from '../cells/scalars.ts'
import { DataFault } from '../fault.ts'
import type { FileRows, FileWanted } from './formats.ts'
import { scalarFeature, textRow } from './text-cells.ts'

/** What pandas takes for a missing value (pandas: read_csv, `na_values`). */
const missing = new Set([
  '',
  ...'#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null'.split(
    ',',
  ),
])
const MAX_COLUMNS = 1000

/** Records of delimited text (RFC 4180). A field may hold line ends only within quotes. */
function* csvRecords(text: string, delimiter: string): Generator<string[]> {
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      const end = quotedEnd(text, at)
      field = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    }
    const start = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
    record.push(field + text.slice(start, at))
    if (text[at] === delimiter) {
      at++
      if (at < text.length) continue
      record.push('')
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    if (record.length > 1 || record[0] !== '') yield record
    record = []
  }
}

/** Where a quoted field ends; the end of the text where its quote is never closed. */
function quotedEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at < 0 ? text.length : at
}

/** The delimiter that the first line has most of. */
function delimiterOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]/) >>> 0)
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter
}

type Column = { dtype: string; write: (field: string) => string }

const isMissing = (field: string) => missing.has(field)
const isInteger = (field: string) => /^[+-]?\d{1,18}$/.test(field)
const isNumber = (field: string) => /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?inf(inity)?$/i.test(field)
const isBoolean = (field: string) => /^(true|false)$/i.test(field)

const orNull = (write: (field: string) => string) => (field: string) =>
  isMissing(field) ? 'null' : write(field)

/** How pandas would read a column: integers, numbers, booleans, else text. */
function columnOf(fields: string[]): Column {
  const present = fields.filter((field) => !isMissing(field))
  if (present.length === fields.length && present.length > 0 && present.every(isInteger))
    return { dtype: 'int64', write: (field) => BigInt(field.replace(/^\+/, '')).toString() }
  if (present.every((field) => isInteger(field) || isNumber(field)))
    return { dtype: 'float64', write: orNull((field) => numberText(Number(field))) }
  if (present.every(isBoolean)) return { dtype: 'bool', write: orNull((field) => field.toLowerCase()) }
  return { dtype: 'string', write: orNull((field) => JSON.stringify(field)) }
}

/** The first rows of a CSV or TSV file, by the text of its beginning. */
export function csvRows(
  text: string,
  { offset, length, cellBytes }: FileWanted,
  isWhole: boolean,
  isTabs: boolean,
): FileRows {
  const records = [...csvRecords(text, isTabs ? '\t' : delimiterOf(text))]
  const [header = [], ...rows] = records
  // The quotes of a last record may be cut, too.
  if (!isWhole && rows.length > 1) rows.pop()
  if (header.length > MAX_COLUMNS)
    throw new DataFault(`The file has ${header.length} columns; ${MAX_COLUMNS} are shown at most.`)
  const columns = header.map((_, i) => columnOf(rows.map((row) => row[i] ?? '')))
  return {
    features: header.map((name, i) => scalarFeature(name, columns[i]?.dtype ?? 'string')),
    rows: rows.slice(offset, offset + length).map((row) =>
      textRow(
        columns.map(({ write }, i) => write(row[i] ?? '')),
        cellBytes,
      ),
    ),
    truncated: !isWhole || offset + length < rows.length,
    ...(isWhole ? { total: rows.length } : {}),
  }
}
