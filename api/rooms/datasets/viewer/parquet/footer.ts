import { parquetMetadata, parquetSchema, type FileMetaData } from 'hyparquet'
import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { DataFault } from '../fault.ts'

export type SchemaNode = ReturnType<typeof parquetSchema>
type Element = FileMetaData['schema'][number]

/** A Parquet file whose footer was read and checked. */
export interface ParquetFile {
  /** For reading: columns come as they are stored, without their logical types. */
  metadata: FileMetaData
  /** As the file declares it. */
  declared: FileMetaData
  schema: SchemaNode
  rows: number
}

const MAX_FOOTER_BYTES = 64 * 1024 * 1024
/** Footers of a thousand row groups lie in here; a longer one takes a second read. */
const FIRST_READ_BYTES = 128 * 1024
const MAX_DEPTH = 64
const PAR1 = 0x31524150
const PARE = 0x45524150

// Parsing the footer of 1200 row groups takes 257 ms; a page that scrolls asks for the same file again and again.
const kept = new Map<string, { file: ParquetFile; bytes: number }>()
const MAX_KEPT_BYTES = 16 * 1024 * 1024
let keptBytes = 0

/** Opens a Parquet file; `key` names its content. Throws `DataFault` for what is no sound Parquet file. */
export async function openParquet(file: RemoteFile, key: string): Promise<ParquetFile> {
  const known = kept.get(key)
  if (known) {
    kept.delete(key)
    kept.set(key, known)
    return known.file
  }
  const footer = await readFooter(file)
  const opened = parse(footer, file.sizeBytes)
  keep(key, opened, footer.length)
  return opened
}

function keep(key: string, file: ParquetFile, bytes: number): void {
  if (bytes > MAX_KEPT_BYTES) return
  kept.set(key, { file, bytes })
  keptBytes += bytes
  for (const [oldest, { bytes: freed }] of kept) {
    if (keptBytes <= MAX_KEPT_BYTES) break
    kept.delete(oldest)
    keptBytes -= freed
  }
}

async function readFooter(file: RemoteFile): Promise<Uint8Array> {
  if (file.sizeBytes < 12) throw new DataFault('The file is too short for a Parquet file.')
  const first = Math.min(FIRST_READ_BYTES, file.sizeBytes)
  const end = await file.read(file.sizeBytes - first, first)
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength)
  if (end.length < 8) throw new DataFault('The file ends before its Parquet footer.')
  const magic = view.getUint32(end.length - 4, true)
  if (magic === PARE) throw new DataFault('The Parquet footer is encrypted.')
  if (magic !== PAR1) throw new DataFault('The file does not end as a Parquet file does.')
  const length = view.getUint32(end.length - 8, true) + 8
  if (length > file.sizeBytes) throw new DataFault('The Parquet footer is longer than the file.')
  if (length > MAX_FOOTER_BYTES) throw new DataFault('The Parquet footer is longer than 64 MiB.')
  return length <= first ? end.subarray(end.length - length) : file.read(file.sizeBytes - length, length)
}

function parse(footer: Uint8Array, sizeBytes: number): ParquetFile {
  let metadata: FileMetaData
  let schema: SchemaNode
  try {
    metadata = parquetMetadata(footer, { geoparquet: false })
    schema = parquetSchema(metadata)
  } catch (error) {
    // The library throws errors of every kind for bytes that are no footer.
    throw new DataFault(
      `The Parquet footer is damaged: ${error instanceof Error ? error.message : 'unreadable'}.`,
    )
  }
  checkDepth(schema, 0)
  checkGroups(metadata, sizeBytes)
  return {
    metadata: { ...metadata, schema: metadata.schema.map(asStored) },
    declared: metadata,
    schema,
    rows: Number(metadata.num_rows),
  }
}

function checkDepth(node: SchemaNode, depth: number): void {
  if (depth > MAX_DEPTH) throw new DataFault(`Columns are nested deeper than ${MAX_DEPTH} levels.`)
  for (const child of node.children) checkDepth(child, depth + 1)
}

function checkGroups({ row_groups, num_rows }: FileMetaData, sizeBytes: number): void {
  let rows = 0n
  for (const group of row_groups) {
    if (!(group.num_rows >= 0n)) throw new DataFault('A row group has a negative number of rows.')
    rows += group.num_rows
    for (const { meta_data } of group.columns) {
      if (!meta_data) throw new DataFault('A column of the Parquet file has no metadata.')
      const start = meta_data.dictionary_page_offset || meta_data.data_page_offset
      const end = start + meta_data.total_compressed_size
      if (!(start >= 0n && end >= start && end <= BigInt(sizeBytes)))
        throw new DataFault(
          `The column ${meta_data.path_in_schema.join('.')} lies outside of the Parquet file.`,
        )
    }
  }
  if (rows !== num_rows || rows > BigInt(Number.MAX_SAFE_INTEGER))
    throw new DataFault(`The footer counts ${num_rows} rows, its row groups ${rows}.`)
}

/**
 * The element without what the library would convert: it makes doubles of decimals and dates without microseconds, and
 * refuses intervals. Of a group only that it is a list counts.
 */
function asStored(element: Element): Element {
  const { converted_type, logical_type, ...stored } = element
  if (element.num_children && (converted_type === 'LIST' || logical_type?.type === 'LIST'))
    return { ...stored, converted_type: 'LIST' }
  return stored
}
