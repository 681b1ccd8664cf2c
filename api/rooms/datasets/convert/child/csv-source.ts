import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { isKind } from '../../features/feature.ts'
import { csvNulls, CsvType } from '../../infer/csv-type.ts'
import { csvRewriter, type Cleaning } from './csv-plain.ts'
import { columnNames, recordsOf } from './csv-text.ts'
import { ident, list, quoted } from '../../sql-text.ts'
import { startOf, type PlainFile, type Wanted } from './materialise.ts'
import type { TableTask } from './messages.ts'
import type { Source } from './source.ts'
import { furtherColumn, notReadable, TaskFault } from './task-fault.ts'
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
interface Reading extends Cleaning {
  decimal: string
  thousands?: string
  names?: string[]
  hasHeader: boolean
  nulls: string[]
  /** Of `nulls`, those that fields are compared with once they are values, instead of as they are read. */
  lateNulls: string[]
  /** Whether several threads read a file. They refuse line breaks within quotes, which may stand where a part begins. */
  isParallel: boolean
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

/** How the files are made plain, by the options of the card. */
export function csvReading(options: Record<string, unknown>): Partial<Wanted> {
  const reading = readingOf(options)
  const rewriter = csvRewriter(reading)
  return { quote: reading.quote, unfoldsMembers: true, ...(rewriter ? { rewriter } : {}) }
}

const word = (given: unknown) => (typeof given === 'string' && given !== '' ? given : undefined)
const isCount = (given: unknown): given is number => Number.isInteger(given) && Number(given) >= 0
const isSign = (given: unknown) => typeof given === 'string' && /^[ -~]$/.test(given)

/** Whether values of options are of a kind that is known here, where others have a meaning in pandas. */
const readable: Record<string, (given: unknown) => boolean> = {
  sep: (given) => typeof given === 'string' && given.length === 1,
  delimiter: (given) => typeof given === 'string' && given.length === 1,
  header: (given) => given === 'infer' || isCount(given),
  skiprows: (given) => isCount(given) || (Array.isArray(given) && given.every(isCount)),
  na_values: (given) => [given].flat().every((one) => typeof one !== 'object'),
  thousands: isSign,
  comment: isSign,
}

function isKnown(key: string, given: unknown): boolean {
  return known.has(key) && (given === null || (readable[key]?.(given) ?? true))
}

function readingOf(options: Record<string, unknown>): Reading {
  const names = options['column_names'] ?? options['names']
  const listed = Array.isArray(names) ? names.map(String) : undefined
  const { header, na_values, skiprows, thousands, comment } = options
  const own = (na_values ?? undefined) === undefined ? [] : [na_values].flat().map(String)
  const quote = word(options['quotechar']) ?? '"'
  const isList = Array.isArray(skiprows) && skiprows.every(isCount)
  return {
    delimiter: word(options['delimiter']) ?? word(options['sep']) ?? ',',
    quote,
    escape: word(options['escapechar']) ?? quote,
    decimal: word(options['decimal']) ?? '.',
    ...(isSign(thousands) ? { thousands: String(thousands) } : {}),
    ...(isSign(comment) ? { comment: String(comment) } : {}),
    encoding: encodingOf(options['encoding']),
    ...(listed ? { names: listed } : {}),
    hasHeader: listed === undefined ? header !== null : isCount(header),
    skipped: isCount(skiprows) || isList ? skiprows : 0,
    headerRows: isCount(header) ? header : 0,
    nulls: options['keep_default_na'] === false ? own : [...csvNulls, ...own],
    lateNulls: [],
    isParallel: false,
    unknown: Object.keys(options).filter((key) => !isKnown(key, options[key])),
  }
}

function encodingOf(given: unknown): Reading['encoding'] {
  const name = word(given)?.toLowerCase().replaceAll('_', '-')
  if (name === undefined || name === 'utf-8' || name === 'utf8' || name === 'utf-8-sig') return 'utf-8'
  if (['latin-1', 'latin1', 'iso-8859-1', 'l1'].includes(name)) return 'latin-1'
  if (name === 'utf-16' || name === 'utf16') return 'utf-16'
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
  const [parallel, late] = [{ ...reading, isParallel: true }, lateNullsOf(reading)]
  const inParallel = late.length > 0 ? [{ ...parallel, lateNulls: late }, parallel] : [parallel]
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const warnings = reading.unknown.map((key) => `The option ${key} of the card is not used here.`)
  return {
    sql: unionOf(reading),
    ...(bytes >= MIN_PARALLEL_BYTES && bytes <= MAX_PARALLEL_BYTES
      ? { parallelSql: inParallel.map(unionOf) }
      : {}),
    features,
    isExact: reading.unknown.length === 0 && first.names.length > 1,
    warnings,
  }
}

/**
 * The reader of DuckDB compares every field with each of these words, which takes a tenth of the time. Only text can be
 * compared later: as a number or truth value, a word is an error. Words of the card may be numbers, and none of these is.
 */
const lateNullsOf = ({ nulls }: Reading) => csvNulls.filter((word) => word !== '' && nulls.includes(word))

async function namesOf(file: PlainFile, reading: Reading): Promise<string[]> {
  if (file.sizeBytes === 0) return []
  const start = await startOf(file.path, START_BYTES)
  const records = recordsOf(`${start}${file.sizeBytes <= START_BYTES ? '\n' : ''}`, reading, 2)
  const [head, next] = records
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
  const columns = group.names.map((name, i) => `${quoted(name)}: ${quoted(types[i] ?? 'VARCHAR')}`)
  const nulls = reading.nulls.filter((one) => !reading.lateNulls.includes(one))
  const options = [
    `columns={${columns.join(', ')}}`,
    'auto_detect=false',
    `delim=${quoted(reading.delimiter)}`,
    `quote=${quoted(reading.quote)}`,
    `escape=${quoted(reading.escape)}`,
    `header=${reading.hasHeader}`,
    'skip=0',
    `nullstr=${list(nulls.length > 0 ? nulls : ['\u001d\u001e'])}`,
    'allow_quoted_nulls=true',
    'null_padding=true',
    `parallel=${reading.isParallel}`,
    'strict_mode=false',
    `max_line_size=${MAX_LINE_BYTES}`,
    `buffer_size=${2 * MAX_LINE_BYTES}`,
    "compression='none'",
    ...(reading.decimal === '.' ? [] : [`decimal_separator=${quoted(reading.decimal)}`]),
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
    for await (const chunk of result)
      for (const i of columns.keys())
        for (const value of chunk.getColumnValues(i))
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

/**
 * A value with the signs that numbers have here, where the card names others: a point before fractions, and no sign
 * between thousands. A point of another meaning makes it text.
 */
function withPoint(given: string | null, { decimal, thousands }: Reading): string | null {
  if (given === null || (decimal === '.' && thousands === undefined)) return given
  const at = given.indexOf(decimal)
  const whole = at === -1 ? given : given.slice(0, at)
  const fraction = at === -1 ? '' : given.slice(at + 1)
  // Signs before the first digit are none of a number.
  const digits =
    /^\s*[+-]?\d/.test(whole) && thousands !== undefined ? whole.replaceAll(thousands, '') : whole
  if (decimal !== '.' && (digits.includes('.') || fraction.includes('.'))) return 'text'
  return at === -1 ? digits : `${digits}.${fraction}`
}

/** The columns of the config in their order: those that a file lacks are null, others than these are an error. */
function select(
  group: { names: string[]; files: PlainFile[] },
  features: readonly NamedFeature[],
  reading: Reading,
): string {
  const own = new Set(group.names)
  const wanted = new Map(features.map((feature) => [feature.name, feature.type]))
  const extra = group.names.find((name) => !wanted.has(name))
  if (extra !== undefined) throw furtherColumn(group.files[0]?.name ?? '', extra)
  const types = group.names.map((name) => rawType(wanted.get(name), reading))
  const columns = features.map(({ name, type }) => {
    if (!own.has(name)) return `CAST(NULL AS ${duckType(type)}) AS ${ident(name)}`
    const raw = rawType(type, reading)
    const value = withoutNulls(ident(name), raw, reading)
    const cell = isKind(type, 'ClassLabel')
      ? label(value, type.names)
      : raw === 'VARCHAR' && duckType(type) !== 'VARCHAR'
        ? `CAST(${numberText(value, type, reading)} AS ${duckType(type)})`
        : value
    return cell === ident(name) ? cell : `${cell} AS ${ident(name)}`
  })
  return `SELECT ${columns.join(', ')} FROM ${read(group, reading, types)}`
}

/** A column as it is read, with the words that were not compared yet. */
function withoutNulls(column: string, raw: string, { lateNulls }: Reading): string {
  if (lateNulls.length === 0) return column
  // DuckDB reads some of the words as this number, and others that pandas takes for text.
  if (raw === 'DOUBLE' || raw === 'FLOAT')
    return `CASE WHEN isnan(${column}) THEN error('a word for no value') ELSE ${column} END`
  if (raw !== 'VARCHAR') return column
  const longest = Math.max(...lateNulls.map((word) => word.length))
  // As a list of `IN` they would be a join, which does not keep the order of the rows.
  const isWord = lateNulls.map((word) => `${column} = ${quoted(word)}`).join(' OR ')
  return `CASE WHEN strlen(${column}) <= ${longest} AND (${isWord}) THEN NULL ELSE ${column} END`
}

/** What a CSV field is parsed as; other types are cast from text, and numbers whose signs DuckDB does not know. */
function rawType(type: NamedFeature['type'] | undefined, { thousands }: Reading): string {
  if (!type || !isKind(type, 'Value')) return 'VARCHAR'
  if (thousands !== undefined && number.test(type.dtype)) return 'VARCHAR'
  return number.test(type.dtype) || type.dtype === 'bool' ? duckType(type) : 'VARCHAR'
}

const number = /^(u?int\d+|float32|float64)$/

/** A column of text as DuckDB casts it to a number. */
function numberText(column: string, type: NamedFeature['type'], { thousands, decimal }: Reading): string {
  if (thousands === undefined || !isKind(type, 'Value') || !number.test(type.dtype)) return column
  const plain = `replace(${column}, ${quoted(thousands)}, '')`
  return decimal === '.' ? plain : `replace(${plain}, ${quoted(decimal)}, '.')`
}

/** A label by its number or its name. */
export const label = (column: string, names: readonly string[]): string =>
  `coalesce(try_cast(${column} AS BIGINT), list_position(${list(names)}, ${column}) - 1)`
