import { parquetRead, type ColumnData } from 'hyparquet'
import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { DataFault } from '../fault.ts'
import type { ParquetFile } from './footer.ts'
import { boundedCompressors, roomOf, type RowRange } from './room.ts'

export interface Reading {
  /** Top-level columns that are wanted; those that the file lacks are left out. */
  columns: string[]
  ranges: RowRange[]
  /** Most bytes of decoded data. */
  limit: number
}

/** Rows that lie this close are read together: a row group of an export, whose pages would be decoded for each. */
const NEAR_ROWS = 10_240

/** Rows as stored values, each by column. Reads no more than the pages that hold them, where the file has an index. */
export async function readParquetRows(
  file: RemoteFile,
  { metadata, schema, rows }: ParquetFile,
  { columns, ranges, limit }: Reading,
): Promise<Map<string, unknown>[]> {
  const present = new Set(schema.children.map(({ element }) => element.name))
  const wanted = columns.filter((name) => present.has(name))
  const found: Map<string, unknown>[] = []
  let left = limit
  for (const near of nearRanges(ranges, rows)) {
    const [first] = near
    const range = { start: first?.start ?? 0, end: near.at(-1)?.end ?? 0 }
    const room = await roomOf(file, metadata, { columns: new Set(wanted), range, limit: left })
    await file.takeRoom(room)
    left -= room
    const chunks = await readRange(file, metadata, wanted, range, limit)
    for (const { start, end } of near)
      for (let row = start; row < end; row++)
        found.push(new Map(wanted.map((name) => [name, valueAt(chunks, name, row)])))
  }
  return found
}

/** Rising ranges in groups that are read together, without rows that the file does not have. */
function nearRanges(ranges: RowRange[], rows: number): RowRange[][] {
  const groups: RowRange[][] = []
  for (const { start, end } of ranges) {
    const range = { start, end: Math.min(end, rows) }
    if (range.start >= range.end) continue
    const last = groups.at(-1)
    const lastEnd = last?.at(-1)?.end
    if (last && lastEnd !== undefined && range.start - lastEnd < NEAR_ROWS) last.push(range)
    else groups.push([range])
  }
  return groups
}

/** Values of a column from one row on. */
type Chunk = Pick<ColumnData, 'rowStart' | 'columnData'>

function valueAt(chunks: ReadonlyMap<string, Chunk[]>, name: string, row: number): unknown {
  for (const { rowStart, columnData } of chunks.get(name) ?? [])
    if (row >= rowStart && row < rowStart + columnData.length) return columnData[row - rowStart]
  throw new DataFault(`The column ${name} of the Parquet file lacks the row ${row} that its footer counts.`)
}

/** Columns in parts, as they are decoded: rows are made of those alone that are wanted. */
async function readRange(
  file: RemoteFile,
  metadata: ParquetFile['metadata'],
  columns: string[],
  { start, end }: RowRange,
  limit: number,
): Promise<Map<string, Chunk[]>> {
  const found = new Map(columns.map((name) => [name, [] as Chunk[]]))
  if (columns.length === 0) return found
  await parquetRead({
    file: {
      byteLength: file.sizeBytes,
      async slice(from, to = file.sizeBytes) {
        const bytes = await file.read(from, to - from)
        if (bytes.length < to - from) throw new DataFault('The Parquet file ends before its data.')
        return bytes.buffer as ArrayBuffer
      },
    },
    metadata,
    columns,
    rowStart: start,
    rowEnd: end,
    utf8: false,
    geoparquet: false,
    useOffsetIndex: true,
    compressors: boundedCompressors(limit),
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
    onChunk: ({ columnName, rowStart, columnData }) => found.get(columnName)?.push({ rowStart, columnData }),
  })
  return found
}
