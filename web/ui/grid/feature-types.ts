import type { FeatureType, NamedFeature } from '../../../shared/viewer.ts'

/** What a column is to people: how its cells look, and what they can be asked for. */
export type Kind =
  | 'number'
  | 'bool'
  | 'text'
  | 'time'
  | 'label'
  | 'list'
  | 'object'
  | 'image'
  | 'audio'
  | 'video'
  | 'pdf'
  | 'bytes'

const media = { Image: 'image', Audio: 'audio', Video: 'video', Pdf: 'pdf' } as const

/** The old way to write a list: `[T]`. */
type AnyType = FeatureType | FeatureType[]

const tagOf = (type: AnyType): string | undefined => {
  const tag: unknown = (type as Record<string, unknown>)['_type']
  return typeof tag === 'string' ? tag : undefined
}

/** The kind of a column by its type; what is unknown is shown as an object. */
export function kindOf(type: AnyType): Kind {
  if (Array.isArray(type)) return 'list'
  const tag = tagOf(type)
  if (tag === 'Value') return kindOfDtype((type as { dtype: string }).dtype)
  if (tag === 'ClassLabel') return 'label'
  if (tag === 'List' || tag === 'LargeList' || tag === 'Sequence') return 'list'
  return media[tag as keyof typeof media] ?? 'object'
}

function kindOfDtype(dtype: string): Kind {
  if (/^(u?int|float|decimal)/.test(dtype)) return 'number'
  if (/^(timestamp|date|time)/.test(dtype)) return 'time'
  if (dtype.includes('binary')) return 'bytes'
  if (/^(duration|null)/.test(dtype)) return 'object'
  return dtype === 'bool' ? 'bool' : 'text'
}

/** Cells that need more room than a line. */
export const isTall = (type: AnyType): boolean => ['image', 'pdf', 'video'].includes(kindOf(elementOf(type)))

/** The type of a list's elements; the type itself where it is no list. */
export function elementOf(type: AnyType): FeatureType {
  if (Array.isArray(type)) return type[0] ?? { _type: 'Value', dtype: 'null' }
  return 'feature' in type && typeof tagOf(type) === 'string'
    ? (type.feature as FeatureType)
    : (type as FeatureType)
}

/** The members of a struct; none where the type is no struct. */
export function membersOf(type: AnyType): NamedFeature[] {
  if (Array.isArray(type) || tagOf(type) !== undefined) return []
  return Object.entries(type as Record<string, FeatureType>).map(([name, member]) => ({ name, type: member }))
}

/** The names of a label's values. */
export const labelNames = (type: AnyType): string[] =>
  kindOf(type) === 'label' ? (type as { names: string[] }).names : []

/** A type in a few words: `int64`, `list of string`, `label of 3`. */
export function typeName(type: AnyType): string {
  const tag = tagOf(type)
  if (tag === 'Value') return (type as { dtype: string }).dtype
  if (tag === 'ClassLabel') return `label of ${labelNames(type).length}`
  if (tag?.startsWith('Array')) {
    const { dtype, shape } = type as { dtype: string; shape: (number | null)[] }
    return `${dtype} ${shape.map((side) => side ?? '?').join('×')}`
  }
  if (kindOf(type) === 'list') {
    const { length } = type as { length?: number }
    const isFixed = tag !== undefined && length !== undefined && length >= 0
    return `list of ${isFixed ? `${length} ` : ''}${typeName(elementOf(type))}`
  }
  if (tag === undefined) return 'struct'
  return tag === 'TranslationVariableLanguages' ? 'translation' : tag.toLowerCase()
}
