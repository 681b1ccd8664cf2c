import type { RowsFound, RowsWanted } from './parquet/page-of.ts'

/** What the threads of the viewer do. */
export type Order =
  | ({ work: 'rows' } & RowsWanted)
  | { work: 'media'; key: string; row: number; at: (string | number)[]; limit: number }
  | { work: 'columns'; key: string }

export interface Answer {
  rows?: RowsFound
  bytes?: Uint8Array | undefined
  columns?: string[]
}
