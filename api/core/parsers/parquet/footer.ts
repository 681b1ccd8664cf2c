import { parquetMetadata, readOffsetIndex, type FileMetaData } from 'hyparquet'
import type { FileBytes } from '../reader/file-bytes.ts'
import { FormatFault, Problems } from '../problem.ts'
import type { ParquetFacts } from './facts.ts'

const MAX_FOOTER_BYTES = 64 * 1024 * 1024
/** Page indexes that are looked at, and their bytes in all. */
const MAX_CHUNKS = 1000
const MAX_INDEX_BYTES = 16 * 1024 * 1024

/** `datasets` writes the first since 4.0; the public hub asks for the second. */
const marks = new Set(['content_defined_chunking', 'use_content_defined_chunking'])

/** Reads the end of a Parquet file. Damage is a problem of the file. */
export function readParquet(file: FileBytes): ParquetFacts {
  const problems = new Problems()
  let isOptimized = false
  try {
    const metadata = footerOf(file)
    isOptimized = parsed('footer', () => isMarked(metadata)) || hasVaryingPages(metadata, file)
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error
    problems.add(error.code, error.message)
  }
  return { format: 'parquet', isOptimized, problems: problems.list() }
}

function footerOf(file: FileBytes): FileMetaData {
  const tail = file.read(Math.max(0, file.sizeBytes - 8), 8)
  if (file.sizeBytes < 12 || Buffer.from(tail.subarray(4)).toString('latin1') !== 'PAR1')
    throw new FormatFault('parquet_no_footer', 'The file does not end as a Parquet file does.')
  const length = new DataView(tail.buffer, tail.byteOffset, tail.length).getUint32(0, true) + 8
  if (length > file.sizeBytes || length > MAX_FOOTER_BYTES)
    throw new FormatFault('parquet_footer_size', 'The Parquet footer has an impossible length.')
  const footer = copied(file.read(file.sizeBytes - length, length))
  return parsed('footer', () => parquetMetadata(footer, { geoparquet: false }))
}

/**
 * The library throws errors of every kind for bytes that it cannot read, and its values may have other types than it says.
 * Nothing is read from the store in here: an error of the store is no damage.
 */
function parsed<T>(part: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof FormatFault) throw error
    const why = error instanceof Error ? error.message : 'unreadable'
    throw new FormatFault('parquet_damaged', `The Parquet ${part} is damaged: ${why}.`)
  }
}

/** The library reads whole buffers. */
const copied = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

const isMarked = ({ key_value_metadata: pairs = [] }: FileMetaData): boolean =>
  pairs.some(({ key, value }) => marks.has(key) && value !== 'false')

/**
 * As the public hub tells of files without a mark (`dataset-viewer: libs/libviewer/src/parquet.rs`): by the page index, the
 * sizes of pages vary in as many column chunks as half of the columns.
 */
function hasVaryingPages(metadata: FileMetaData, file: FileBytes): boolean {
  const { columns, indexes } = parsed('footer', () => indexesOf(metadata))
  let varying = 0
  let bytes = 0
  for (const { offset, length } of indexes) {
    bytes += length
    if (bytes > MAX_INDEX_BYTES || offset < 0 || offset + length > file.sizeBytes) return false
    const view = new DataView(copied(file.read(offset, length)))
    const sizes = parsed('page index', () =>
      readOffsetIndex({ view, offset: 0 }).page_locations.map((page) => Number(page.compressed_page_size)),
    )
    if (isVarying(sizes)) varying++
    if (varying * 2 >= columns) return true
  }
  return false
}

/** Where the page indexes of the first column chunks lie, and how many columns there are. */
function indexesOf({ row_groups: groups }: FileMetaData) {
  const chunks = groups.flatMap((group) => group.columns).slice(0, MAX_CHUNKS)
  const indexes = chunks
    .map((chunk) => ({
      offset: Number(chunk.offset_index_offset),
      length: Number(chunk.offset_index_length),
    }))
    .filter(
      ({ offset, length }) => Number.isSafeInteger(offset) && Number.isSafeInteger(length) && length > 0,
    )
  return { columns: groups[0]?.columns.length ?? 0, indexes }
}

/** Whether sizes differ by more than a twentieth of their mean (the coefficient of variation). */
function isVarying(sizes: number[]): boolean {
  if (sizes.length < 2) return false
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / sizes.length
  return mean > 0 && Math.sqrt(variance) / mean > 0.05
}
