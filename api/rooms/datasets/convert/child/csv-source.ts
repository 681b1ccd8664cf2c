import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { isKind } from '../../features/feature.ts'
import { csvNulls, CsvType } from '../../infer/csv-type.ts'
import { columnNames, recordsOf, type Dialect } from './csv-text.ts'
import { ident, list, text } from './duck.ts'
import { startOf, type PlainFile } from './materialise.ts'
import type { TableTask } from './messages.ts'
import type { Source } from './source.ts'
import { notReadable, TaskFault } from './task-fault.ts'
import { duckType } from './types.ts'

/** Rows that the types of columns are found by: pandas reads so many at once. */
const FIRST_ROWS = 10_000
const START_BYTES = 1024 * 1024
const MAX_LINE_BYTES = 16 * 1024 * 1024
const MAX_COLUMNS = 10_000
const COLUMNS_AT_ONCE = 1000
/** Below, several threads gain nothing: each reads parts of 8 MB (duckdb: csv_buffer_manager.hpp). */
const MIN_PARALLEL_BYTES = 32 * 1024 * 1024
/** Beyond, the one file that several threads write would be larger than shards are, even at half the size. */
const MAX_PARALLEL_BYTES = 1024 * 1024 * 1024

/** How the files are read, by the options of the card. */
interface Reading extends Dialect {
  escape: string
  decimal: string
  names?: string[]
  hasHeader: boolean
  skip: number
  nulls: string[]
  /** Whether several threads read a file. They refuse line breaks within quotes, which may stand where a part begins. */
  isParallel: boolean
  more: string[]
  unknown: string[]
}

const known = new Set([
  'sep',
  'delimiter',
  'header',
  'names',
  'column_names',
  'quotechar',
  'escapechar',
  'skiprows',
  'encoding',
  'na_values',
  'keep_default_na',
  'decimal',
  'thousands',
  'comment',
  'version',
  'description',
])

/** The quote of the files, which hides line breaks. */
export const csvQuote = (options: Record<string, unknown>): string => word(options['quotechar']) ?? '"'

const word = (given: unknown) => (typeof given === 'string' && given !== '' ? given : undefined)

function readingOf(options: Record<string, unknown>): Reading {
  const names = options['column_names'] ?? options['names']
  const listed = Array.isArray(names) ? names.map(String) : undefined
  const { header, na_values, skiprows } = options
  const decimal = word(options['decimal']) ?? '.'
  const own = na_values === undefined ? [] : [na_values].flat().map(String)
  const more = [
    ['decimal_separator', decimal === '.' ? undefined : decimal],
    ['thousands', word(options['thousands'])],
    ['comment', word(options['comment'])],
    ['encoding', encodingOf(options['encoding'])],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${text(value)}`]))
  return {
    delimiter: word(options['delimiter']) ?? word(options['sep']) ?? ',',
    quote: csvQuote(options),
    escape: word(options['escapechar']) ?? csvQuote(options),
    decimal,
    ...(listed ? { names: listed } : {}),
    hasHeader: listed === undefined ? header !== null : typeof header === 'number',
    skip: (typeof skiprows === 'number' ? skiprows : 0) + (typeof header === 'number' ? header : 0),
    nulls: options['keep_default_na'] === false ? own : [...csvNulls, ...own],
    isParallel: false,
    more,
    unknown: Object.keys(options).filter((key) => !known.has(key)),
  }
}

function encodingOf(given: unknown): string | undefined {
  const name = word(given)?.toLowerCase().replaceAll('_', '-')
  if (name === undefined || name === 'utf-8' || name === 'utf8' || name === 'utf-8-sig') return undefined
  if (['latin-1', 'latin1', 'iso-8859-1', 'l1'].includes(name)) return 'latin-1'
  if (name === 'utf-16') return name
  throw new TaskFault(
    'DatasetGenerationError',
    `The card gives the encoding ${name}, which cannot be read here. Store the files as UTF-8.`,
  )
}

/** CSV files as a query, with types as pandas finds them in the first rows of the first file. */
export async function csvSource(
  duck: DuckDBConnection,
  task: TableTask,
  files: readonly PlainFile[],
): Promise<Source> {
  const reading = readingOf(task.options)
  const groups: { names: string[]; files: PlainFile[] }[] = []
  for (const file of files) {
    const names = await namesOf(file, reading)
    if (names.length === 0) continue
    const last = groups.at(-1)
    if (last && last.names.join('\n') === names.join('\n')) last.files.push(file)
    else groups.push({ names, files: [file] })
  }
  const [first] = groups
  if (!first)
    throw new TaskFault('EmptyDatasetError', 'The files are empty: there is no row of column names.')
  const inferred = task.features ? undefined : await inferTypes(duck, first, reading)
  const features = task.features ?? inferred?.features ?? []
  const unionOf = (how: Reading) => groups.map((group) => select(group, features, how)).join(' UNION ALL ')
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const warnings = reading.unknown.map((key) => `The option ${key} of the card is not used here.`)
  return {
    sql: unionOf(reading),
    ...(bytes >= MIN_PARALLEL_BYTES && bytes <= MAX_PARALLEL_BYTES
      ? { parallelSql: unionOf({ ...reading, isParallel: true }) }
      : {}),
    features,
    isExact: reading.unknown.length === 0 && first.names.length > 1,
    warnings,
  }
}

async function namesOf(file: PlainFile, reading: Reading): Promise<string[]> {
  if (file.sizeBytes === 0) return []
  const start = await startOf(file.path, START_BYTES)
  const records = recordsOf(`${start}${file.sizeBytes <= START_BYTES ? '\n' : ''}`, reading, reading.skip + 2)
  const [head, next] = records.slice(reading.skip)
  if (!head) {
    if (records.length > 0) return []
    throw notReadable(`The first line of ${file.name} is longer than ${START_BYTES} bytes.`)
  }
  if (head.length > MAX_COLUMNS)
    throw new TaskFault(
      'TooManyColumnsError',
      `The file ${file.name} has ${head.length} columns; at most ${MAX_COLUMNS} are read.`,
    )
  const { names, hasHeader } = reading
  if (names) return names
  if (!hasHeader) return head.map((_, i) => String(i))
  if (next && next.length > head.length)
    throw notReadable(
      `Row 1 of ${file.name} has ${next.length} fields, and the header has ${head.length}. Name every column.`,
    )
  return columnNames(head)
}

/** The files of one header as a query of raw columns. */
function read(
  group: { names: string[]; files: PlainFile[] },
  reading: Reading,
  types: readonly string[],
): string {
  const columns = group.names.map((name, i) => `${text(name)}: ${text(types[i] ?? 'VARCHAR')}`)
  const options = [
    `columns={${columns.join(', ')}}`,
    'auto_detect=false',
    `delim=${text(reading.delimiter)}`,
    `quote=${text(reading.quote)}`,
    `escape=${text(reading.escape)}`,
    `header=${reading.hasHeader}`,
    `skip=${reading.skip}`,
    `nullstr=${list(reading.nulls.length > 0 ? reading.nulls : ['\u001d\u001e'])}`,
    'allow_quoted_nulls=true',
    'null_padding=true',
    `parallel=${reading.isParallel}`,
    'strict_mode=false',
    `max_line_size=${MAX_LINE_BYTES}`,
    `buffer_size=${2 * MAX_LINE_BYTES}`,
    "compression='none'",
    ...reading.more,
  ]
  return `read_csv(${list(group.files.map(({ path }) => path))}, ${options.join(', ')})`
}

async function inferTypes(
  duck: DuckDBConnection,
  group: { names: string[]; files: PlainFile[] },
  reading: Reading,
): Promise<{ features: NamedFeature[] }> {
  const raw = read({ names: group.names, files: group.files.slice(0, 1) }, reading, [])
  const types = group.names.map(() => new CsvType())
  // Text of 5000 columns at once is above the memory that DuckDB has here.
  for (let from = 0; from < types.length; from += COLUMNS_AT_ONCE) {
    const columns = group.names.slice(from, from + COLUMNS_AT_ONCE).map(ident)
    const result = await duck.stream(`SELECT ${columns.join(', ')} FROM ${raw} LIMIT ${FIRST_ROWS}`)
    for await (const rows of result.yieldRows())
      for (const row of rows)
        for (const [i, value] of row.entries())
          types[from + i]?.add(withPoint(value as string | null, reading))
  }
  const features = group.names.map((name, i): NamedFeature => {
    const dtype = types[i]?.dtype
    if (dtype === undefined)
      throw notReadable(
        `The column ${name} has integers that 64 bits cannot hold. Quote them as text under another format, or declare the column as string in the card.`,
      )
    return { name, type: { _type: 'Value', dtype } }
  })
  return { features }
}

/** A value as numbers are written with a point, where the card names another sign for it. */
const withPoint = (given: string | null, { decimal }: Reading): string | null =>
  decimal === '.' || given === null || given.includes('.') ? given : given.replace(decimal, '.')

/** The columns of the config in their order: those that a file lacks are null, others than these are an error. */
function select(
  group: { names: string[]; files: PlainFile[] },
  features: readonly NamedFeature[],
  reading: Reading,
): string {
  const own = new Set(group.names)
  const wanted = new Map(features.map((feature) => [feature.name, feature.type]))
  const extra = group.names.find((name) => !wanted.has(name))
  if (extra !== undefined)
    throw new TaskFault(
      'DatasetGenerationCastError',
      `The file ${group.files[0]?.name} has a column ${extra}, which other files of this config do not have. Give all files the same columns, or list them as several configs in the card.`,
    )
  const types = group.names.map((name) => rawType(wanted.get(name)))
  const columns = features.map(({ name, type }) => {
    if (!own.has(name)) return `CAST(NULL AS ${duckType(type)}) AS ${ident(name)}`
    return isKind(type, 'ClassLabel')
      ? `${label(ident(name), type.names)} AS ${ident(name)}`
      : rawType(type) === 'VARCHAR' && duckType(type) !== 'VARCHAR'
        ? `CAST(${ident(name)} AS ${duckType(type)}) AS ${ident(name)}`
        : ident(name)
  })
  return `SELECT ${columns.join(', ')} FROM ${read(group, reading, types)}`
}

/** What a CSV field is parsed as; other types are cast from text. */
function rawType(type: NamedFeature['type'] | undefined): string {
  if (!type || !isKind(type, 'Value')) return 'VARCHAR'
  return /^(u?int\d+|float32|float64|bool)$/.test(type.dtype) ? duckType(type) : 'VARCHAR'
}

/** A label by its number or its name. */
export const label = (column: string, names: readonly string[]): string =>
  `coalesce(try_cast(${column} AS BIGINT), list_position(${list(names)}, ${column}) - 1)`
