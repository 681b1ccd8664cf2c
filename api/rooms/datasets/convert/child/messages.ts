import type { NamedFeature } from '../../../../../shared/viewer.ts'

/** A source file on this machine; its name tells its format, its path need not. */
export interface LocalFile {
  /** Path within the repo. */
  name: string
  path: string
}

/** What the cells of a folder of media are. */
export interface FolderMedia {
  kind: 'Image' | 'Audio' | 'Video' | 'Pdf'
  /** Name of the column, such as `image`. */
  column: string
  /** What comes before a path of the repo in a cell: `hf://datasets/{ns}/{name}@{commit}/`. */
  root: string
  /** Whether the files are tables with names of media; else they are one list of `{path, label}` by line. */
  hasMetadata: boolean
  /** Names of labels, where media have them. */
  labels?: string[]
  /** Whether all splits would find the same columns by themselves. */
  isExact: boolean
}

/** One split of text files that become a table. */
export interface TableTask {
  kind: 'table'
  /** Empty folder for all that this task writes. */
  folder: string
  builder: 'csv' | 'json' | 'text' | 'xml' | 'folder' | 'webdataset' | 'arrow' | 'media-archives'
  options: Record<string, unknown>
  files: LocalFile[]
  /** Columns that the card gives, or that an earlier split of the config has. */
  features?: NamedFeature[]
  /** Whether the columns are the card's: then the builder reads them so. */
  isGiven: boolean
  /** Of `webdataset`: what comes before the path of an archive in `__url__`. */
  root?: string
  /** Of `media-archives`: the builder whose media they are, such as `imagefolder`. */
  builderName?: string
  /** Of the builders `folder` and `media-archives`. */
  media?: FolderMedia
  /** Decompressed bytes that are converted at most. */
  maxBytes: number
  /** Rows of the preview's cells are cut at this. */
  maxCellBytes: number
}

/** Ends of Parquet files, each with its footer. */
export interface FootersTask {
  kind: 'footers'
  files: LocalFile[]
}

export type Task = TableTask | FootersTask

/** What a child needs before any task. */
export interface Setup {
  /** Folder for what does not fit into memory. */
  folder: string
  memoryMb: number
  /** Rows of a group at most; fewer where memory was short before. */
  maxGroupRows: number
}

/** First rows of a split, as JSON texts of their cells. */
export interface Preview {
  features: NamedFeature[]
  /** Whether the library would find exactly these columns. */
  isExact: boolean
  warnings: string[]
  /** JSON text of `{features, rows, truncated}`, as the viewer answers it; absent where cells need addresses. */
  body?: string
}

/** A Parquet file on this machine. */
export interface MadeFile {
  path: string
  rows: number
  /** Sum of `total_byte_size` over the row groups. */
  memoryBytes: number
}

/** The Parquet files of a split. */
export interface MadeTable {
  files: MadeFile[]
  /** Whether it was cut at `maxBytes`. */
  isPartial: boolean
  /** Bytes of the source files that were read, and of all of them, as stored. */
  readBytes: number
}

export interface Footers {
  features: NamedFeature[]
  /** Columns that the library cannot read. */
  unreadable: string[]
  files: { rows: number; memoryBytes: number; columns: string[] }[]
}

export type Report =
  | { type: 'ready' | 'alive' }
  | { type: 'preview'; preview: Preview }
  /** Part of the task that is done, 0 to 1. */
  | { type: 'progress'; done: number }
  | { type: 'table'; table: MadeTable }
  | { type: 'footers'; footers: Footers }
  | { type: 'failed'; code: string; message: string }
