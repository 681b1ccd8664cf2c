import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'
import { isKind, isStruct } from '../features/feature.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import { quoted } from '../sql-text.ts'
import type { Bound } from './where/translate.ts'

const MAX_CHARACTERS = 500

/** Expressions of text in a column: its own, that of its fields, its items and its JSON. */
function* textsIn(sql: string, type: FeatureType): Generator<string> {
  if (isStruct(type)) {
    for (const [name, field] of Object.entries(type))
      yield* textsIn(`struct_extract(${sql}, ${quoted(name)})`, field)
  } else if (isKind(type, 'Value')) {
    if (/string/.test(type.dtype)) yield sql
  } else if (isKind(type, 'List', 'LargeList', 'Sequence')) {
    const inner = type.feature
    if (isKind(inner, 'Value') && /string/.test(inner.dtype)) yield `array_to_string(${sql}, chr(10))`
    else if ([...textsIn('x', inner)].length > 0) yield `CAST(${sql} AS VARCHAR)`
  } else if (isKind(type, 'Json', 'Translation', 'TranslationVariableLanguages'))
    yield `CAST(${sql} AS VARCHAR)`
}

/** Label columns, by the labels whose names have the text. */
function labelCondition(sql: string, type: FeatureType, text: string): string[] {
  if (!isKind(type, 'ClassLabel')) return []
  const found = type.names.flatMap((name, i) => (name.toLowerCase().includes(text) ? [i] : []))
  return found.length > 0 ? [`${sql} IN (${found.join(', ')})`] : []
}

/** The rows that have a text in any of their columns, in any case. */
export function searchCondition(query: string, features: readonly NamedFeature[]): Bound {
  const text = query.toLowerCase()
  if ([...query].length > MAX_CHARACTERS)
    throw new ViewerFault(
      'InvalidParameter',
      `Parameter 'query' must have ${MAX_CHARACTERS} characters at most.`,
    )
  const conditions = features.flatMap(({ type }, i) => [
    ...[...textsIn(`c${i}`, type)].map((sql) => `contains(lower(${sql}), lower($1))`),
    ...labelCondition(`c${i}`, type, text),
  ])
  if (conditions.length === 0) return { sql: 'false', values: [], named: [] }
  const isBound = conditions.some((condition) => condition.includes('$1'))
  return { sql: conditions.join(' OR '), values: isBound ? [text] : [], named: [] }
}
