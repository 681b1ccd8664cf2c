/*
 * Answers of the dataset viewer's API (`/viewer-api/*`), as the public dataset viewer shapes them. Integers beyond 2^53
 * come as literals with all digits, which `JSON.parse` would round.
 */

/** The type of a column, as the `datasets` library writes it: `{"dtype": "int64", "_type": "Value"}`, lists, structs. */
export type FeatureType =
  | { _type: 'Value'; dtype: string }
  | { _type: 'ClassLabel'; names: string[] }
  | { _type: 'List' | 'LargeList' | 'Sequence'; feature: FeatureType; length?: number }
  | { _type: 'Json' | 'Image' | 'Video' | 'Pdf' }
  | { _type: 'Audio'; sampling_rate?: number }
  | { _type: 'Array2D' | 'Array3D' | 'Array4D' | 'Array5D'; shape: number[]; dtype: string }
  | { _type: 'Translation' | 'TranslationVariableLanguages'; languages: string[] }
  | { [field: string]: FeatureType }

/** One column of a config. */
export interface NamedFeature {
  name: string
  type: FeatureType
}

/** One column in an answer of rows. */
export interface ViewerFeature extends NamedFeature {
  feature_idx: number
}

/** One row; `row_idx` is its position in the split, also in filtered answers. */
export interface ViewerRow {
  row_idx: number
  row: Record<string, unknown>
  /** Columns whose cell is the beginning of its JSON text. */
  truncated_cells: string[]
}

/** Answer of `/rows`, `/search` and `/filter`. */
export interface ViewerPage {
  features: ViewerFeature[]
  rows: ViewerRow[]
  /** Rows of the split, or matches of the search or filter. */
  num_rows_total: number
  num_rows_per_page: number
  /** The export or the scan does not cover all rows. */
  partial: boolean
  /** Of searches and filters: how far the scan came. */
  scan?: { rows: number; complete: boolean }
}

/** Answer of `/first-rows`. */
export interface ViewerFirstRows {
  dataset: string
  config: string
  split: string
  features: ViewerFeature[]
  rows: ViewerRow[]
  truncated: boolean
}

/** Answer of `/is-valid`. */
export interface ViewerValidity {
  preview: boolean
  viewer: boolean
  search: boolean
  filter: boolean
  statistics: boolean
}

/** Ten bins at most; the last edge closes the last bin. */
export interface Histogram {
  hist: number[]
  bin_edges: (number | string)[]
}

/** Statistics of one column; which members there are depends on `column_type`. */
export interface ColumnStatistics {
  column_name: string
  column_type:
    | 'int'
    | 'float'
    | 'string_text'
    | 'string_label'
    | 'class_label'
    | 'bool'
    | 'datetime'
    | 'list'
    | 'image'
    | 'audio'
    | 'video'
  column_statistics: {
    nan_count: number
    nan_proportion: number
    min?: number | string | null
    max?: number | string | null
    mean?: number | string | null
    median?: number | string | null
    std?: number | string | null
    histogram?: Histogram | null
    no_label_count?: number
    no_label_proportion?: number
    n_unique?: number
    frequencies?: Record<string, number>
  }
}

/** Answer of `/statistics`. */
export interface ViewerStatistics {
  num_examples: number
  statistics: ColumnStatistics[]
  partial: boolean
}

/** Body of an error; the code is in the header `X-Error-Code`. */
export interface ViewerError {
  error: string
  cause_exception?: string
  cause_message?: string
}
