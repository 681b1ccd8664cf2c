import type { NamedFeature } from '../../../../../shared/viewer.ts'
import type { RowText } from '../cells/cut.ts'

/** Formats of data files whose rows are shown without conversion. */
export type DataFormat = 'csv' | 'tsv' | 'jsonl' | 'parquet' | 'arrow'

const formats: Record<string, DataFormat> = {
  csv: 'csv',
  tsv: 'tsv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  geoparquet: 'parquet',
  gpq: 'parquet',
  arrow: 'arrow',
  feather: 'arrow',
}

/** The format of a data file by its path. */
export const dataFormatOf = (path: string): DataFormat | undefined =>
  formats[/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '']

/** Rows of a data file. */
export interface FileRows {
  features: NamedFeature[]
  rows: RowText[]
  /** More rows follow, or may follow in what was not read. */
  truncated: boolean
  /** Rows of the whole file, where it says so. */
  total?: number
}

/** Which rows are wanted, and how long a cell may be. */
export interface FileWanted {
  offset: number
  length: number
  cellBytes: number
}
