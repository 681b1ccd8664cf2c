import type { FeatureType } from '../../../../shared/viewer.ts'
import { duckType } from '../convert/child/types.ts'
import { isKind, isStruct } from '../features/feature.ts'
import { kindOf } from './where/columns.ts'

/** Kinds that the engine compares as one. A feature of integers is none of them where the file has fractions. */
const numbers = new Set(['integer', 'label', 'float', 'float32', 'decimal'])
const moments = new Set(['date', 'timestamp', 'timestamptz'])

/** Whether queries can take what a file stores for what a feature says; `undefined` is what the library cannot read. */
export function isQueried(feature: FeatureType, stored: FeatureType | undefined): boolean {
  if (isStruct(feature))
    return (
      stored !== undefined &&
      isStruct(stored) &&
      Object.entries(feature).every(([name, field]) => isQueried(field, stored[name]))
    )
  const wanted = kindOf(feature).of
  if (wanted === 'other') return true
  if (stored === undefined) return false
  const found = kindOf(stored).of
  if (wanted === 'list') return isQueried(itemOf(feature), itemOf(stored))
  if (wanted === 'integer' || wanted === 'label') return found === 'integer' || found === 'label'
  if (wanted === 'text') return found === 'text' || isKind(stored, 'Json')
  if (numbers.has(wanted)) return numbers.has(found)
  return moments.has(wanted) ? moments.has(found) : wanted === found
}

/** Of what is no list, a type that nothing is queried as. */
const itemOf = (type: FeatureType): FeatureType =>
  isKind(type, 'List', 'LargeList', 'Sequence') ? type.feature : { _type: 'Value', dtype: 'none' }

/** The type in SQL of a column that has no values, so that expressions over it are those of its feature. */
export function emptyType(feature: FeatureType): string {
  try {
    return duckType(feature, true)
  } catch {
    return 'VARCHAR'
  }
}

/** A type in the words of people. */
export function typeText(type: FeatureType | undefined): string {
  if (type === undefined) return 'of a type that queries cannot read'
  if (isStruct(type)) return 'a struct'
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return `a list of ${typeText(type.feature)}`
  return isKind(type, 'Value') ? type.dtype : String((type as Record<string, unknown>)['_type'])
}
