import type { NamedFeature } from '../../../../../shared/viewer.ts'

/** A split as a query. */
export interface Source {
  /** A SELECT whose columns are those of `features`, in their order. */
  sql: string
  /**
   * The same rows in the same order, where several threads can read large files: the fastest first. Each fails for some
   * files that the next can read, and all for some that `sql` can.
   */
  parallelSql?: readonly string[]
  features: NamedFeature[]
  /** Whether the library would find exactly these columns and rows. */
  isExact: boolean
  warnings: string[]
}
