/*
 * What the query process is asked and says. Expressions of filters are ours and values are bound; the statement of the SQL
 * console alone is a user's.
 */

/** A Parquet file on this machine, with the names that its columns have in queries. */
export interface LocalFile {
  path: string
  rows: number
  /** By their order in the file: `c0`, `c1`, … by the place of their feature, others by names of their own. */
  columns: string[]
  /** Columns that the file lacks, which have no values: their names and their types in SQL. */
  lacking: { place: string; type: string }[]
}

export interface Condition {
  sql: string
  values: string[]
}

/** An expression to sort by. */
export interface SortKey {
  sql: string
  isDescending: boolean
}

/** Finds rows of a split: those of a page, and how many there are. */
export interface ScanOrder {
  work: 'scan'
  files: LocalFile[]
  where?: Condition
  orderBy?: SortKey
  offset: number
  length: number
  maxRows: number
  /** The first windows of rows, where an earlier scan has counted their matches. */
  known: Counted[]
  /** The columns of a page, where all are plain. */
  plain?: PlainColumns
}

/** Columns of text, numbers and booleans. */
export interface PlainColumns {
  columns: { place: string; isText: boolean }[]
  /** Longer cells are not plain. */
  maxBytes: number
}

/** Rows of a page. */
export interface FoundPage {
  /** Their positions in the split. */
  found: number[]
  /** JSON of their cells, in the order of the columns, where all of them are plain. */
  cells?: string[][]
}

/** Runs selects over the view `v` of the whole split; its columns are `c0`, `c1`, … */
export interface SelectOrder {
  work: 'select'
  files: LocalFile[]
  maxRows: number
  selects: string[]
}

/** Runs one SELECT of a user, over tables of files. It is checked before it runs. */
export interface SqlOrder {
  work: 'sql'
  tables: { name: string; paths: string[] }[]
  sql: string
  /** What an answer has at most; a longer cell is cut. */
  maxRows: number
  maxBytes: number
  maxCellBytes: number
}

/** Rows of a user's statement, each cell as JSON text. */
export interface SqlResult {
  columns: { name: string; type: string }[]
  rows: string[][]
  /** Whether there are more rows. */
  isCut: boolean
}

/** Writes the rows that match into one Parquet file, in the order of the split or another. */
export interface CopyOrder {
  work: 'copy'
  files: LocalFile[]
  where?: Condition
  orderBy?: SortKey
  /** Columns of the file: their place (`c0`, `c1`, …) and their name. */
  columns: { place: string; name: string }[]
  /** Where the file is written: the one path besides `files` that the engine may open. */
  path: string
  groupRows: number
  /** The file's key `huggingface`. */
  key: string
  /** No more rows than these are written. */
  maxRows?: number
}

/** Tells how the rows of two tables of Parquet files differ. */
export interface CompareOrder {
  work: 'compare'
  base: string[]
  head: string[]
  /** The columns to compare, by their names in the files. Cells of those that are not shown are never answered. */
  columns: { name: string; isShown: boolean }[]
  /** Places among `columns` of those that name a row; none where rows are compared as wholes. */
  key: number[]
  maxSamples: number
}

/** A row that differs. */
export interface ComparedRow {
  change: 'added' | 'removed' | 'changed'
  key: string[]
  cells: { column: string; base?: string | null; head?: string | null }[]
}

/** How rows differ. A key that is not unique leaves a comparison of whole rows. */
export interface CompareResult {
  by: 'key' | 'row'
  added: number
  removed: number
  changed?: number
  samples: ComparedRow[]
}

export type Query = (ScanOrder | SelectOrder | SqlOrder | CopyOrder | CompareOrder) & {
  /** When the work must have ended, in milliseconds from its beginning. */
  deadlineMs: number
}

export type QueryOrder = Query & { tempDir: string }

/** How far a scan came; the last one counts when the process must be killed. */
export interface ScanState {
  page: FoundPage
  matches: number
  /** Rows that were looked at. */
  rows: number
  isComplete: boolean
  counts: Counted[]
}

/** A window of rows, and how many of them match. */
export interface Counted {
  rows: number
  matches: number
}

/** Rows of a select, each cell as JSON-safe text, number or null. */
export type SelectRow = Record<string, unknown>

export type QueryReport =
  | 'ready'
  | { state: ScanState }
  /** Share of a copy that is done, 0 to 1. */
  | { copied: number }
  | {
      done: true
      state?: ScanState
      rows?: SelectRow[][]
      sql?: SqlResult
      written?: number
      compared?: CompareResult
    }
  | { failure: string; isLate: boolean }
