import type { NamedFeature } from '../../../../../shared/viewer.ts'

/** A split as a query. */
export interface Source {
  /** A SELECT whose columns are those of `features`, in their order. */
  sql: string
  /** The same rows in the same order, where several threads can read large files; fails for some that `sql` can read. */
  parallelSql?: string
  features: NamedFeature[]
  /** Whether the library would find exactly these columns and rows. */
  isExact: boolean
  warnings: string[]
}
