/*
 * The tree of a filter (dataset-viewer.md §4).
 */

export const functions = ['len', 'length', 'lower', 'upper', 'year', 'month', 'day'] as const
export type FunctionName = (typeof functions)[number]

export const comparisons = ['=', '<>', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof comparisons)[number]

/** A column, or a field of one, perhaps through a function. */
export interface Term {
  path: string[]
  call?: FunctionName
  at: number
}

export type Value =
  | { kind: 'number'; text: string; at: number }
  | { kind: 'text'; text: string; at: number }
  | { kind: 'boolean'; value: boolean; at: number }

export type Predicate =
  | { kind: 'compare'; term: Term; sign: Comparison; value: Value }
  | { kind: 'like'; term: Term; word: 'LIKE' | 'ILIKE' | 'GLOB'; isNot: boolean; pattern: string }
  | { kind: 'is'; term: Term; isNot: boolean; what: 'NULL' | 'TRUE' | 'FALSE' }
  | { kind: 'in'; term: Term; isNot: boolean; values: Value[] }
  | { kind: 'between'; term: Term; isNot: boolean; low: Value; high: Value }

export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | Predicate

export interface Order {
  term: Term
  isDescending: boolean
}
