import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { isKind } from '../../features/feature.ts'
import { scanJson } from '../../infer/json-scan.ts'
import { JsonType } from '../../infer/json-type.ts'
import { label } from './csv-source.ts'
import { ident, list, quoted } from '../../sql-text.ts'
import { startOf, type PlainFile } from './materialise.ts'
import type { TableTask } from './messages.ts'
import { momentMacros, textType, withMoments } from './moments.ts'
import type { Source } from './source.ts'
import { furtherColumn, notReadable, TaskFault } from './task-fault.ts'
import { duckType } from './types.ts'

/** The library finds types in so many bytes of the first file; of a JSON list it reads all. */
const CHUNK_BYTES = 10 * 1024 * 1024
const MAX_LIST_BYTES = 64 * 1024 * 1024
const MAX_OBJECT_BYTES = 64 * 1024 * 1024
const START_BYTES = 1024 * 1024

type Format = 'newline_delimited' | 'array' | 'unstructured'
/** A list of strings is one column. */
interface Shape {
  format: Format
  isTexts: boolean
}

const known = new Set(['version', 'description', 'encoding', 'chunksize', 'field'])

/** JSON files as a query, with types as the library finds them at the beginning of the first file. */
export async function jsonSource(
  duck: DuckDBConnection,
  task: TableTask,
  files: readonly PlainFile[],
): Promise<Source> {
  for (const macro of momentMacros) await duck.run(macro)
  const unknown = Object.keys(task.options).filter((key) => !known.has(key))
  const { field } = task.options
  const shaped: { file: PlainFile; shape: Shape }[] = []
  for (const [i, file] of files.entries()) {
    if (file.sizeBytes === 0) continue
    const path = join(task.folder, `field-${i}`)
    const own = typeof field === 'string' ? await fieldOf(duck, file, field, path) : file
    shaped.push({ file: own, shape: await shapeOf(own) })
  }
  const [first] = shaped
  if (!first) throw new TaskFault('EmptyDatasetError', 'The files are empty.')
  const inferred = task.features ? undefined : await infer(duck, first)
  const features = task.features ?? inferred?.features ?? []
  // What types were found in is not read again.
  const unseen = inferred?.isWhole ? shaped.slice(1) : shaped
  for (const one of unseen) await refuseFurther(duck, one, features)
  const selects = shaped.map((one) => select(one, features))
  return {
    sql: selects.join(' UNION ALL '),
    features,
    isExact:
      unknown.length === 0 &&
      // pandas reads fields, with rules of its own.
      field === undefined &&
      (inferred?.isExact ?? true) &&
      first.shape.format !== 'unstructured' &&
      !looksLikeTrace(features),
    warnings: unknown.map((key) => `The option ${key} of the card is not used here.`),
  }
}

/** The list under a key of one JSON object, as a file of its own. */
async function fieldOf(
  duck: DuckDBConnection,
  file: PlainFile,
  field: string,
  path: string,
): Promise<PlainFile> {
  if (file.sizeBytes > MAX_LIST_BYTES)
    throw notReadable(
      `The file ${file.name} is one JSON object of more than ${MAX_LIST_BYTES} bytes. Store its rows as JSON Lines.`,
    )
  const pointer = `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const object = values({ file, shape: { format: 'unstructured', isTexts: false } })
  const result = await duck.runAndReadAll(
    `SELECT json_extract(json, ${quoted(pointer)})::VARCHAR FROM ${object}`,
  )
  const [row] = result.getRows()
  const found = row?.[0]
  if (typeof found !== 'string' || !found.startsWith('['))
    throw notReadable(`The file ${file.name} has no list under the key "${field}", which the card reads.`)
  await writeFile(path, found)
  return { name: file.name, path, sizeBytes: Buffer.byteLength(found) }
}

async function shapeOf({ path, name }: PlainFile): Promise<Shape> {
  const start = await startOf(path, START_BYTES)
  const body = start.trimStart()
  if (body.startsWith('[')) return { format: 'array', isTexts: /^\[\s*"/.test(body) }
  const end = body.indexOf('\n')
  const line = end === -1 ? body : body.slice(0, end)
  try {
    scanJson(line)
    return { format: 'newline_delimited', isTexts: false }
  } catch {
    if (end === -1 && start.length >= START_BYTES) return { format: 'newline_delimited', isTexts: false }
    if (!body.startsWith('{'))
      throw notReadable(`The file ${name} does not begin with a JSON object or list.`)
    return { format: 'unstructured', isTexts: false }
  }
}

const options = (format: Format) =>
  `format=${quoted(format)}, maximum_object_size=${MAX_OBJECT_BYTES}, compression='uncompressed'`

const values = ({ file, shape }: { file: PlainFile; shape: Shape }) =>
  `read_json(${list([file.path])}, records='false', columns={json: 'JSON'}, ${options(shape.format)})`

async function infer(duck: DuckDBConnection, one: { file: PlainFile; shape: Shape }) {
  if (one.shape.isTexts)
    return {
      features: [{ name: 'text', type: { _type: 'Value' as const, dtype: 'string' } }],
      isExact: true,
      isWhole: true,
    }
  const isList = one.shape.format === 'array'
  const type = new JsonType()
  const most = isList ? MAX_LIST_BYTES : CHUNK_BYTES
  let [bytes, row] = [0, 0]
  const result = await duck.stream(`SELECT json FROM ${values(one)}`)
  reading: for await (const rows of result.yieldRows())
    for (const [json] of rows) {
      row++
      if (json === null) continue
      const line = json as string
      type.add(scanned(line, one.file.name, row))
      bytes += Buffer.byteLength(line) + 1
      if (bytes >= most) break reading
    }
  const features = type.columns
  if (!features || features.length === 0)
    throw notReadable(`The rows of ${one.file.name} must be JSON objects.`)
  const isWhole = bytes < most
  return { features, isExact: !isList || isWhole, isWhole }
}

/** Columns that a file lacks are null; one that the config does not have is an error in the library. */
async function refuseFurther(
  duck: DuckDBConnection,
  one: { file: PlainFile; shape: Shape },
  features: Source['features'],
): Promise<void> {
  if (one.shape.isTexts) return
  const result = await duck.runAndReadAll(
    `SELECT key FROM (SELECT unnest(json_keys(json)) AS key FROM ${values(one)}) WHERE NOT list_contains(${list(features.map(({ name }) => name))}, key) LIMIT 1`,
  )
  const key = result.getRows()[0]?.[0]
  if (typeof key === 'string') throw furtherColumn(one.file.name, key)
}

function scanned(line: string, name: string, row: number) {
  try {
    return scanJson(line)
  } catch (error) {
    if (error instanceof SyntaxError)
      throw notReadable(`Row ${row} of ${name} cannot be read: ${error.message}.`)
    throw error
  }
}

function select(one: { file: PlainFile; shape: Shape }, features: Source['features']): string {
  if (one.shape.isTexts) {
    const columns = features.map(({ name, type }) =>
      name === 'text' ? `json->>'$' AS text` : `CAST(NULL AS ${duckType(type)}) AS ${ident(name)}`,
    )
    return `SELECT ${columns.join(', ')} FROM ${values(one)}`
  }
  const types = features.map(
    ({ name, type }) => `${quoted(name)}: ${quoted(isKind(type, 'ClassLabel') ? 'VARCHAR' : textType(type))}`,
  )
  const columns = features.map(({ name, type }) => {
    const column = ident(name)
    return `${isKind(type, 'ClassLabel') ? label(column, type.names) : withMoments(column, type)} AS ${column}`
  })
  const read = `read_json(${list([one.file.path])}, records='true', columns={${types.join(', ')}}, ${options(one.shape.format)})`
  return `SELECT ${columns.join(', ')} FROM ${read}`
}

/** Logs of agents have columns of their own in datasets 5.2, which an extension of it makes. */
function looksLikeTrace(features: Source['features']): boolean {
  const types = new Map(features.map(({ name, type }) => [name, type]))
  const has = (name: string) => {
    const type = types.get(name)
    return type !== undefined && isKind(type, 'Json')
  }
  return (
    (types.has('type') && (has('message') || has('payload') || types.has('cwd'))) ||
    (types.has('system_prompt') && types.has('messages'))
  )
}
