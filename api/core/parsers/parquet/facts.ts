import type { FileProblem } from '../problem.ts'

/** What the footer of a Parquet file says. */
export interface ParquetFacts {
  format: 'parquet'
  /** Whether its pages end where the content says, so that a later version of the data shares most of its chunks. */
  isOptimized: boolean
  problems: FileProblem[]
}
