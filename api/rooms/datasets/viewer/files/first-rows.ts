import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { parquetPage } from '../parquet/page-of.ts'
import { readArrow } from './arrow.ts'
import { csvRows } from './csv.ts'
import type { DataFormat, FileRows, FileWanted } from './formats.ts'
import { jsonlRows } from './jsonl.ts'
import { wholeLines } from './text-cells.ts'

/** How much of a file's beginning is read: rows behind it are not shown. */
const READ_BYTES = { csv: 1024 * 1024, tsv: 1024 * 1024, jsonl: 1024 * 1024, arrow: 16 * 1024 * 1024 }

export interface FileOrder extends FileWanted {
  format: DataFormat
  /** Names the file's content. */
  key: string
  /** Most bytes of decoded data. */
  limit: number
}

/** Rows of a data file as it is: of Parquet any, of other formats those in its beginning. */
export async function fileRows(order: FileOrder, file: RemoteFile): Promise<FileRows> {
  const { format, offset, length } = order
  if (format === 'parquet') {
    const ranges = [{ start: offset, end: offset + length }]
    const { features, rows, total } = await parquetPage({ ...order, ranges }, file)
    return { features, rows, truncated: offset + rows.length < total, total }
  }
  const bytes = Math.min(READ_BYTES[format], file.sizeBytes, order.limit)
  if (format === 'arrow') return readArrow(file, order, bytes)
  await file.takeRoom(bytes)
  const read = await file.read(0, bytes)
  const isWhole = bytes === file.sizeBytes
  const text = wholeLines(read, isWhole)
  return format === 'jsonl'
    ? jsonlRows(text, order, isWhole)
    : csvRows(text, order, isWhole, format === 'tsv')
}
