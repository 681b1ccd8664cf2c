import type { DuckDBConnection } from '@duckdb/node-api'
import type { FeatureType, NamedFeature } from '../../../../../shared/viewer.ts'
import { isKind, isMedia, listOf, sameType, typesIn } from '../../features/feature.ts'
import { parquetColumns } from '../../features/parquet.ts'
import { csvSource } from './csv-source.ts'
import { ident, list, quoted } from '../../sql-text.ts'
import { metadataOf } from './footers.ts'
import { jsonSource } from './json-source.ts'
import type { PlainFile } from './materialise.ts'
import type { FolderMedia, TableTask } from './messages.ts'
import type { Source } from './source.ts'
import { notReadable, TaskFault } from './task-fault.ts'
import { duckType } from './types.ts'

/*
 * Folders of media become a table of paths (docs/protocols/datasets.md §4): the bytes stay in their files, which cells
 * name as `hf://…`, as the public hub's export does.
 */

/** Media as a query: of a list of files, or of tables with their names. */
export async function folderSource(
  duck: DuckDBConnection,
  task: TableTask,
  files: readonly PlainFile[],
): Promise<Source> {
  const { media } = task
  if (!media) throw new Error('a folder without media')
  if (!media.hasMetadata) return listSource(task, media, files)
  const tables = files.map((file) => ({ ...file, ...placeOf(file.name, media.root) }))
  return metadataSource(duck, task, media, tables)
}

/** A table that names media. */
export interface MediaTable extends PlainFile {
  suffix: string
  /** What comes before the names of its rows in a cell: the address of the folder that it lies in. */
  folder: string
}

/** Paths are relative to the folder of the file that names them. */
export const placeOf = (path: string, root: string): Pick<MediaTable, 'suffix' | 'folder'> => ({
  suffix: path.slice(path.lastIndexOf('.') + 1),
  folder: `${root}${path.slice(0, path.lastIndexOf('/') + 1)}`,
})

const cell = (path: string, root: string) => `{'bytes': NULL::BLOB, 'path': ${quoted(root)} || ${path}}`

function listSource(task: TableTask, media: FolderMedia, files: readonly PlainFile[]): Source {
  const { kind, column, labels, root, isExact } = media
  const label: FeatureType | undefined = labels && { _type: 'ClassLabel', names: labels }
  const own: NamedFeature[] = [{ name: column, type: { _type: kind } }]
  if (label) own.push({ name: 'label', type: label })
  const features = task.features ?? own
  const known = new Map([
    [column, cell('path', root)],
    ['label', 'label'],
  ])
  const strange = features.find(({ name }) => !known.has(name))
  if (strange)
    throw new TaskFault(
      'DatasetGenerationCastError',
      `The card gives a column ${strange.name}, which the files of this split do not have. Add a metadata file, or remove the column from the card.`,
    )
  const columns = features.map(({ name }) => `${known.get(name)} AS ${ident(name)}`)
  const lines = `read_json(${list(files.map(({ path }) => path))}, format='newline_delimited', columns={path: 'VARCHAR', label: 'BIGINT'}, compression='uncompressed')`
  return { sql: `SELECT ${columns.join(', ')} FROM ${lines}`, features, isExact, warnings: [] }
}

/** What a column of names becomes: `file_name` the column of the builder, `x_file_name` the column `x`. */
function mediaName(name: string, ending: 'file_name' | 'file_names', whole: string): string | undefined {
  if (name === ending) return whole
  return name.endsWith(`_${ending}`) ? name.slice(0, -ending.length - 1) || whole : undefined
}

interface Column {
  /** Name in the metadata file. */
  raw: string
  feature: NamedFeature
  isList: boolean
  isMedia: boolean
}

function columnOf({ name, type }: NamedFeature, { column, kind }: FolderMedia): Column {
  const media: FeatureType = { _type: kind }
  const isText = (one: FeatureType) => isKind(one, 'Value') && /^(large_)?string$/.test(one.dtype)
  const single = isText(type) ? mediaName(name, 'file_name', column) : undefined
  if (single !== undefined)
    return { raw: name, feature: { name: single, type: media }, isList: false, isMedia: true }
  const isTexts = isKind(type, 'List', 'LargeList') && isText(type.feature)
  const several = isTexts ? mediaName(name, 'file_names', `${column}s`) : undefined
  if (several !== undefined)
    return { raw: name, feature: { name: several, type: listOf(media) }, isList: true, isMedia: true }
  return { raw: name, feature: { name, type }, isList: false, isMedia: false }
}

/** Tables with names of media as a query, whose cells with media have no bytes yet. */
export async function metadataSource(
  duck: DuckDBConnection,
  task: TableTask,
  media: FolderMedia,
  files: readonly MediaTable[],
): Promise<Source> {
  const suffixes = new Set(files.map((file) => file.suffix))
  const [suffix = '', ...others] = suffixes
  if (others.length > 0)
    throw notReadable(
      `The metadata files have several formats: ${[...suffixes].join(', ')}. Use one format for all.`,
    )
  const [parts, warnings] = [[] as string[], new Set<string>()]
  let [features, isExact] = [task.features, media.isExact]
  for (const file of files) {
    const found = await tableOf(duck, task, file, suffix)
    const columns = found.features.map((feature) => columnOf(feature, media))
    if (!columns.some((column) => column.isMedia))
      throw notReadable(
        `The file ${file.name} has no column with names of files. Name it file_name, or let its name end in _file_name.`,
      )
    features ??= columns.map(({ feature }) => feature)
    const given = features
    requireColumns(given, columns, file.name, task.isGiven)
    await requireInside(duck, found.sql, columns, file.name)
    parts.push(select(found.sql, columns, given, { folder: file.folder, isParquet: suffix === 'parquet' }))
    isExact &&= found.isExact
    for (const warning of found.warnings) warnings.add(warning)
  }
  if (!features || parts.length === 0)
    throw new TaskFault(
      'DataFilesNotFoundError',
      'This split has no metadata file, though other splits have one. Add one, or set drop_metadata in the card.',
    )
  return { sql: parts.join(' UNION ALL '), features, isExact, warnings: [...warnings] }
}

async function tableOf(
  duck: DuckDBConnection,
  task: TableTask,
  file: PlainFile,
  suffix: string,
): Promise<Source> {
  const own = { ...task }
  delete own.features
  if (suffix === 'csv') return csvSource(duck, { ...own, builder: 'csv', options: {} }, [file])
  if (suffix === 'jsonl') {
    const found = await jsonSource(duck, { ...own, builder: 'json', options: {} }, [file])
    // The library reads these with pyarrow alone, which merges what its reader of JSON data keeps as it is.
    const isPlain = found.features.every(({ type }) => isKind(type, 'Value'))
    return { ...found, isExact: found.isExact && isPlain }
  }
  const { features, unreadable } = parquetColumns(await metadataOf(file.path, file.name))
  return {
    sql: `SELECT * FROM read_parquet(${list([file.path])})`,
    features,
    isExact:
      unreadable.length === 0 && !features.some(({ type }) => [...typesIn(type)].some(losesNanoseconds)),
    warnings: [],
  }
}

const losesNanoseconds = (type: FeatureType) =>
  isKind(type, 'Value') && type.dtype.startsWith('timestamp[ns, ')

function requireColumns(
  features: readonly NamedFeature[],
  columns: readonly Column[],
  name: string,
  isGiven: boolean,
): void {
  const known = new Map(columns.map(({ feature }) => [feature.name, feature.type]))
  for (const feature of features) {
    const type = known.get(feature.name)
    const isSame =
      type && (isGiven ? isMediaColumn(type) === isMediaColumn(feature.type) : sameType(type, feature.type))
    if (!isSame)
      throw notReadable(
        `The column ${feature.name} is missing from ${name}, or has another type there. All metadata files need the same columns.`,
      )
  }
}

const isMediaColumn = (type: FeatureType) =>
  isMedia(type) || (isKind(type, 'List', 'LargeList') && isMedia(type.feature))

const inside = (path: string) => `replace(${path}, chr(92), '/')`

/** Names of files lead into the folder of their table: no address, no absolute path, no way up. */
async function requireInside(
  duck: DuckDBConnection,
  sql: string,
  columns: readonly Column[],
  name: string,
): Promise<void> {
  for (const { raw, isList } of columns.filter((column) => column.isMedia)) {
    const path = isList ? `unnest(${ident(raw)})` : ident(raw)
    const wrong = `SELECT path FROM (SELECT ${path} AS path FROM (${sql})) WHERE regexp_matches(${inside('path')}, '://|^/|(^|/)[.][.](/|$)') LIMIT 1`
    const [row] = (await duck.runAndReadAll(wrong)).getRows()
    if (row)
      throw notReadable(
        `The file ${name} names "${String(row[0]).slice(0, 200)}". Paths must lead into the folder of that file, without "..".`,
      )
  }
}

function select(
  sql: string,
  columns: readonly Column[],
  features: readonly NamedFeature[],
  { folder, isParquet }: { folder: string; isParquet: boolean },
): string {
  const byName = new Map(columns.map((column) => [column.feature.name, column]))
  const clean = (path: string) =>
    `regexp_replace(regexp_replace(${inside(path)}, '/+', '/', 'g'), '(^|/)([.]/)+', '\\1', 'g')`
  const one = (path: string) => `CASE WHEN ${path} IS NOT NULL THEN ${cell(clean(path), folder)} END`
  const parts = features.map(({ name, type }) => {
    const { raw = name, isList = false, isMedia: holdsPaths = false } = byName.get(name) ?? {}
    const shown = isList
      ? `list_transform(${ident(raw)}, lambda p: ${one('p')})`
      : holdsPaths
        ? one(ident(raw))
        : isKind(type, 'ClassLabel')
          ? `coalesce(try_cast(${ident(raw)} AS BIGINT), list_position(${list(type.names)}, ${ident(raw)}::VARCHAR) - 1)`
          : `CAST(${ident(raw)} AS ${duckType(type, isParquet)})`
    return `${shown} AS ${ident(name)}`
  })
  return `SELECT ${parts.join(', ')} FROM (${sql})`
}
