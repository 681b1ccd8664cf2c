import type { NamedFeature } from '../../../../shared/viewer.ts'
import { sameType } from '../features/feature.ts'
import type { DatasetProblem } from '../tables.ts'

/** Columns that one side has, or that have another type there. */
export interface SchemaChanges {
  added: NamedFeature[]
  removed: NamedFeature[]
  changed: { name: string; base: NamedFeature['type']; head: NamedFeature['type'] }[]
}

/** A row that differs, for people to see what the counts are about. */
export interface SampledRow {
  change: 'added' | 'removed' | 'changed'
  key: string[]
  /** Of a changed row: columns whose cells differ, with the beginning of their text where that can be shown. */
  cells: { column: string; base?: string | null; head?: string | null }[]
}

/** Why rows were not compared, or not by the key that the card declares. */
export type Uncompared = 'partial' | 'too_many_rows' | 'no_common_column' | 'key_missing' | 'key_not_unique'

/** How the rows of a split differ. Only files that differ were looked at. */
export interface SplitChanges {
  name: string
  status: 'added' | 'removed' | 'changed'
  /** Files of each side that the other does not have. */
  files: { base: number; head: number }
  /** Rows in the files that were read. */
  rows?: { base: number; head: number }
  /** How rows were matched: by the key, or as wholes. */
  compared_by?: 'key' | 'row'
  added?: number
  removed?: number
  changed?: number
  note?: Uncompared
  problem?: DatasetProblem
  samples: SampledRow[]
}

export interface ConfigChanges {
  name: string
  status: 'added' | 'removed' | 'changed'
  /** Columns that name a row. */
  key: string[]
  schema: SchemaChanges
  splits: SplitChanges[]
}

export interface DataChanges {
  configs: ConfigChanges[]
  /** Why the data of the later revision cannot be read. */
  problem?: DatasetProblem
  /** Whether more configs or splits differ than are listed. */
  truncated: boolean
}

/** Which columns came, went or have another type; the order of columns is no change. */
export function schemaChanges(base: readonly NamedFeature[], head: readonly NamedFeature[]): SchemaChanges {
  const [old, now] = [base, head].map((list) => new Map(list.map(({ name, type }) => [name, type])))
  return {
    added: head.filter(({ name }) => !old?.has(name)),
    removed: base.filter(({ name }) => !now?.has(name)),
    changed: head.flatMap(({ name, type }) => {
      const before = old?.get(name)
      return before && !sameType(before, type) ? [{ name, base: before, head: type }] : []
    }),
  }
}
