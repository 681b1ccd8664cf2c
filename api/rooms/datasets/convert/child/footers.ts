import { open } from 'node:fs/promises'
import { parquetMetadata, parquetSchema, type FileMetaData } from 'hyparquet'
import { parquetColumns } from '../../features/parquet.ts'
import type { Footers, FootersTask } from './messages.ts'
import { notReadable, TaskFault } from './task-fault.ts'

const MAX_FOOTER_BYTES = 128 * 1024 * 1024

interface Counted {
  rows: number
  memoryBytes: number
}

/** Rows and bytes of a Parquet file on this machine. */
export async function readFooter(path: string): Promise<Counted> {
  return countsOf(await metadataOf(path, path))
}

/** Columns and rows of the Parquet files of a split, from their ends. The columns are those of the first file. */
export async function readFooters({ files }: FootersTask): Promise<Footers> {
  const counted: Footers['files'] = []
  let first: ReturnType<typeof parquetColumns> | undefined
  for (const { name, path } of files) {
    const metadata = await metadataOf(path, name)
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name)
    first ??= parquetColumns(metadata)
    const known = new Set(first.features.map((feature) => feature.name))
    const extra = columns.find((column) => !known.has(column))
    if (extra !== undefined)
      throw new TaskFault(
        'DatasetGenerationCastError',
        `The file ${name} has a column ${extra}, which the first file of this split does not have. Give all files the same columns, or list them as several configs in the card.`,
      )
    counted.push({ ...countsOf(metadata), columns })
  }
  return { features: first?.features ?? [], unreadable: first?.unreadable ?? [], files: counted }
}

const countsOf = ({ num_rows, row_groups }: FileMetaData): Counted => ({
  rows: count(num_rows),
  memoryBytes: row_groups.reduce((sum, group) => sum + count(group.total_byte_size), 0),
})

/** A file may claim any number. */
function count(given: bigint): number {
  const number = Number(given)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw notReadable('A Parquet file has an impossible number of rows or bytes.')
}

/** What the footer of a Parquet file on this machine says. */
export async function metadataOf(path: string, name: string): Promise<FileMetaData> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(8)
    if (size < 12) throw notReadable(`The file ${name} is no Parquet file: it is too short.`)
    await file.read(tail, 0, 8, size - 8)
    if (tail.toString('latin1', 4) !== 'PAR1')
      throw notReadable(`The file ${name} is no Parquet file, or an encrypted one: it does not end in PAR1.`)
    const length = tail.readUInt32LE(0) + 8
    if (length > size || length > MAX_FOOTER_BYTES)
      throw notReadable(`The footer of ${name} has an impossible length.`)
    const bytes = new Uint8Array(length)
    await file.read(bytes, 0, length, size - length)
    return parsed(bytes, name)
  } finally {
    await file.close()
  }
}

function parsed(bytes: Uint8Array<ArrayBuffer>, name: string): FileMetaData {
  try {
    return parquetMetadata(bytes.buffer)
  } catch (error) {
    throw notReadable(
      `The footer of ${name} cannot be read: ${error instanceof Error ? error.message : 'it is damaged'}.`,
    )
  }
}
