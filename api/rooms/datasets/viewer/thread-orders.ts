import type { FileOrder } from './files/first-rows.ts'
import type { FileRows } from './files/formats.ts'
import type { Measured, MeasureOrder } from './media/measure.ts'
import type { RowsFound, RowsWanted, StoredColumn } from './parquet/page-of.ts'

/** What the threads of the viewer do. */
export type Order =
  | ({ work: 'rows' } & RowsWanted)
  | { work: 'media'; key: string; row: number; at: (string | number)[]; limit: number }
  | ({ work: 'file' } & FileOrder)
  | { work: 'columns'; key: string }
  | ({ work: 'measure' } & MeasureOrder)

export interface Answer {
  rows?: RowsFound
  bytes?: Uint8Array | undefined
  file?: FileRows
  columns?: StoredColumn[]
  measured?: Measured
}
