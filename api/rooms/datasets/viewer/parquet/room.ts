import * as zlib from 'node:zlib'
import { readOffsetIndex, type Compressors, type FileMetaData } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { DataFault, TooBig } from '../fault.ts'

const MAX_PAGE_BYTES = 256 * 1024 * 1024

export interface RowRange {
  /** First row, from 0, and the one behind the last. */
  start: number
  end: number
}

type Group = FileMetaData['row_groups'][number]
type Chunk = Group['columns'][number]

const tooBig = (bytes: number, limit: number) =>
  new TooBig(
    `These rows take ${bytes} bytes of memory, more than the ${limit} of one request. Ask for fewer rows.`,
  )

/** How many bytes the rows take while they are decoded, by what the footer says. Throws `TooBig` beyond `limit`. */
export async function roomOf(
  file: RemoteFile,
  metadata: FileMetaData,
  { columns, range, limit }: { columns: ReadonlySet<string>; range: RowRange; limit: number },
): Promise<number> {
  let sum = 0
  let groupStart = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    const selected = {
      start: Math.max(range.start - groupStart, 0),
      end: Math.min(range.end - groupStart, rows),
    }
    groupStart += rows
    if (selected.start >= selected.end) continue
    const chunks = group.columns.filter(({ meta_data }) => columns.has(meta_data?.path_in_schema[0] ?? ''))
    const whole = chunks.reduce((bytes, chunk) => bytes + bytesOf(chunk), 0)
    // Pages are counted only where it matters: their index takes a read per column.
    if (sum + whole <= limit) sum += whole
    else
      for (const chunk of chunks) {
        sum += await pagesOf(file, chunk, rows, selected)
        if (sum > limit) throw tooBig(sum, limit)
      }
  }
  return sum
}

const bytesOf = ({ meta_data }: Chunk) =>
  Math.max(Number(meta_data?.total_uncompressed_size ?? 0), Number(meta_data?.total_compressed_size ?? 0))

/** What the pages with these rows take, and the dictionary; the whole chunk where there is no index of its pages. */
async function pagesOf(
  file: RemoteFile,
  chunk: Chunk,
  rows: number,
  { start, end }: RowRange,
): Promise<number> {
  const { offset_index_offset: at, offset_index_length: length, meta_data } = chunk
  if (!at || !length || !meta_data || length > MAX_PAGE_BYTES) return bytesOf(chunk)
  const bytes = await file.read(Number(at), length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { page_locations: pages } = readOffsetIndex({ view, offset: 0 })
  const packed = pages.reduce((sum, page, i) => {
    const last = Number(pages[i + 1]?.first_row_index ?? rows)
    const isTouched = Number(page.first_row_index) < end && last > start
    return sum + (isTouched ? page.compressed_page_size : 0)
  }, 0)
  const dictionary = Math.max(0, Number(pages[0]?.offset ?? 0) - Number(meta_data.data_page_offset))
  const ratio = bytesOf(chunk) / Math.max(1, Number(meta_data.total_compressed_size))
  return Math.ceil((packed + dictionary) * ratio)
}

/** Node has zstd of its own from 22.15 on, which takes a fraction of the time. */
const { zstdDecompressSync: unzstd } = zlib as {
  zstdDecompressSync?: (input: Uint8Array, options: { maxOutputLength: number }) => Buffer
}
const own: Compressors = unzstd
  ? { ZSTD: (input, length) => unzstd(input, { maxOutputLength: Math.max(1, length) }) }
  : {}

/** Decompression that stops where pages hold more than the footer said, or more than one request may take. */
export function boundedCompressors(limit: number): Compressors {
  let sum = 0
  const bounded =
    (inflate: NonNullable<Compressors[keyof Compressors]>) => (input: Uint8Array, length: number) => {
      if (length > MAX_PAGE_BYTES) throw new DataFault('A page of the Parquet file is larger than 256 MiB.')
      sum += length
      if (sum > limit) throw tooBig(sum, limit)
      return inflate(input, length)
    }
  return Object.fromEntries(
    Object.entries({ ...compressors, ...own }).map(([codec, inflate]) => [
      codec,
      inflate && bounded(inflate),
    ]),
  )
}
