import { open, stat } from 'node:fs/promises'
import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { value } from '../../features/feature.ts'
import { cellOf, fieldType, staysBytes } from './archive-cells.ts'
import { readFooter } from './footers.ts'
import type { LocalFile, MadeTable, Report, Setup, TableTask } from './messages.ts'
import { ParquetRows } from './parquet-writer.ts'
import { TarCut, TarFault, tarMembers } from './tar.ts'
import { notReadable } from './task-fault.ts'

/** Columns are found by so many rows, which must have the same fields. */
const FIRST_ROWS = 5
const PROGRESS_ROWS = 100

interface Row {
  key: string
  url: string
  fields: Map<string, Buffer>
  sizeBytes: number
}

/** How far the archives have been read. */
interface Reach {
  bytes: number
  isCut: boolean
}

/** Converts archives of webdataset: a row for members in a row whose names are the same up to their first dot. */
export async function convertArchives(
  setup: Setup,
  task: TableTask,
  report: (report: Report) => void,
): Promise<MadeTable> {
  const sizes = await Promise.all(task.files.map(async ({ path }) => (await stat(path)).size))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const reach: Reach = { bytes: 0, isCut: false }
  const first: Row[] = []
  let writer: ParquetRows | undefined
  let features: NamedFeature[] = []
  const begin = () => {
    features = task.features ?? columnsOf(first)
    const warnings = features
      .filter(({ name }) => staysBytes(name))
      .map(({ name }) => `The column ${name} is not decoded here: it holds the bytes of its files.`)
    report({ type: 'preview', preview: { features, isExact: false, warnings } })
    return new ParquetRows(task.folder, features, setup.maxGroupRows)
  }
  let count = 0
  const write = async (row: Row) => {
    await (writer ??= begin()).add(cellsOf(row, features), row.sizeBytes)
    if (++count % PROGRESS_ROWS === 0) report({ type: 'progress', done: reach.bytes / Math.max(1, all) })
  }
  const writeFirst = async () => {
    for (const row of first) await write(row)
    first.length = 0
  }
  for await (const row of rowsOf(task, reach)) {
    if (writer) await write(row)
    else if (first.push(row) === FIRST_ROWS) await writeFirst()
  }
  await writeFirst()
  if (count === 0) throw notReadable('The archives hold no files whose names have the form {key}.{field}.')
  const files = []
  for (const path of (await writer?.end()) ?? []) files.push({ path, ...(await readFooter(path)) })
  return { files, isPartial: reach.isCut, readBytes: reach.bytes }
}

/** Rows of all archives, up to `maxBytes`. */
async function* rowsOf(task: TableTask, reach: Reach): AsyncGenerator<Row> {
  for (const file of task.files) {
    if (reach.isCut) return
    if (!file.name.toLowerCase().endsWith('.tar'))
      throw notReadable(
        `The file ${file.name} is a compressed archive, which is not converted here. Use plain tar.`,
      )
    yield* rowsIn(file, task, reach)
  }
}

const memberName = /^((?:.*\/|)[^.]+)[.]([^/]*)$/

async function* rowsIn({ name, path }: LocalFile, task: TableTask, reach: Reach): AsyncGenerator<Row> {
  const handle = await open(path, 'r')
  const before = reach.bytes
  let row: Row | undefined
  try {
    for await (const member of tarMembers(handle)) {
      const [, key, field] = memberName.exec(member.name) ?? []
      if (key === undefined || field === undefined) continue
      if (row && row.key !== key) {
        yield row
        row = undefined
        reach.bytes = before + member.end
        reach.isCut = reach.bytes > task.maxBytes
        if (reach.isCut) return
      }
      row ??= { key, url: `${task.root ?? ''}${name}`, fields: new Map(), sizeBytes: 0 }
      if (row.fields.has(field))
        throw notReadable(`The archive ${name} has the member ${member.name} twice in one row.`)
      row.fields.set(field, member.bytes)
      row.sizeBytes += member.bytes.length
    }
  } catch (error) {
    if (error instanceof TarFault) throw notReadable(`The archive ${name} cannot be read: ${error.message}.`)
    if (!(error instanceof TarCut)) throw error
    // Of a larger archive only its beginning was brought here.
    if ((await handle.stat()).size + before <= task.maxBytes)
      throw notReadable(`The archive ${name} ends within a member. Upload it again.`)
    reach.isCut = true
    return
  } finally {
    await handle.close()
  }
  if (row) yield row
  reach.bytes = before + (await stat(path)).size
}

function columnsOf(rows: readonly Row[]): NamedFeature[] {
  const [first] = rows
  const names = [...(first?.fields.keys() ?? [])]
  const odd = rows.find(
    ({ fields }) => fields.size !== names.length || names.some((name) => !fields.has(name)),
  )
  if (odd)
    throw notReadable(
      `The first rows of the archives have different fields: ${names.join(', ')} in ${first?.key}, ${[...odd.fields.keys()].join(', ')} in ${odd.key}.`,
    )
  const members = (name: string) => rows.flatMap(({ fields }) => fields.get(name) ?? [])
  return [
    ...names.map((name) => ({ name, type: fieldType(name, members(name)) })),
    { name: '__key__', type: value('string') },
    { name: '__url__', type: value('string') },
  ]
}

function cellsOf({ key, url, fields }: Row, features: readonly NamedFeature[]): unknown[] {
  return features.map(({ name, type }) => {
    if (name === '__key__') return key
    if (name === '__url__') return url
    const member = fields.get(name)
    return member ? cellOf(type, member, `${key}.${name}`) : null
  })
}
