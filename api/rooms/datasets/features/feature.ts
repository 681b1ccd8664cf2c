import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'

/*
 * The types of columns as the `datasets` library writes them (docs/protocols/datasets.md §4): in the key `huggingface` of
 * a Parquet file, in the answer of `/info`, and in cards.
 */

export const value = (dtype: string): FeatureType => ({ _type: 'Value', dtype })
export const json: FeatureType = { _type: 'Json' }
export const listOf = (feature: FeatureType): FeatureType => ({ _type: 'List', feature })

/** A struct: fields by name, without a `_type` of its own. */
export type StructType = { [field: string]: FeatureType }

export const isStruct = (type: FeatureType): type is StructType => kindOf(type) === undefined

/** `_type` of what is no struct. */
function kindOf(type: FeatureType): string | undefined {
  const { _type: kind } = type as { _type?: unknown }
  return typeof kind === 'string' ? kind : undefined
}

type OfKind<K> = FeatureType extends infer F
  ? F extends { _type: string }
    ? [Extract<F['_type'], K>] extends [never]
      ? never
      : F
    : never
  : never

/** Whether a type is of this kind, such as `List`. A struct may have a field of the name `_type`. */
export function isKind<K extends string>(type: FeatureType, ...kinds: K[]): type is OfKind<K> {
  return (kinds as (string | undefined)[]).includes(kindOf(type))
}

/** Images, sounds, videos and documents: a struct of `bytes` and `path` in Parquet. */
export const isMedia = (type: FeatureType) => isKind(type, 'Image', 'Audio', 'Video', 'Pdf')

/** Deeper types are not read: a hostile file could nest them until the stack ends. */
export const MAX_FEATURE_DEPTH = 32

const mediaStorage: FeatureType = { bytes: value('binary'), path: value('string') }

/** The type that the bytes of a column have, without what the library makes of it. */
export function storageOf(type: FeatureType): FeatureType {
  if (isStruct(type))
    return Object.fromEntries(Object.entries(type).map(([name, field]) => [name, storageOf(field)]))
  if (isMedia(type)) return mediaStorage
  if (isKind(type, 'ClassLabel')) return value('int64')
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return { ...type, feature: storageOf(type.feature) }
  if (isKind(type, 'Translation'))
    return Object.fromEntries([...type.languages].sort().map((language) => [language, value('string')]))
  if (isKind(type, 'TranslationVariableLanguages'))
    return { language: listOf(value('string')), translation: listOf(value('string')) }
  return type
}

/** Whether two types are the same, the order of a struct's fields included. */
export const sameType = (one: FeatureType, other: FeatureType): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))

/** `_type` first, so that equal types have equal text. */
function inOrder(type: FeatureType): unknown {
  if (isStruct(type)) return ['struct', Object.entries(type).map(([name, field]) => [name, inOrder(field)])]
  if (isKind(type, 'List', 'LargeList', 'Sequence'))
    return [kindOf(type), inOrder(type.feature), type.length ?? -1]
  return Object.entries(type).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Reads a type as JSON gives it; `undefined` for what is none. Old forms become new ones: `[T]`, `Sequence` of a dict. */
export function readFeature(given: unknown, depth = 0): FeatureType | undefined {
  if (depth > MAX_FEATURE_DEPTH || typeof given !== 'object' || given === null) return undefined
  if (Array.isArray(given)) {
    const inner = given.length === 1 ? readFeature(given[0], depth + 1) : undefined
    return inner && listOf(inner)
  }
  const { _type, ...rest } = given as Record<string, unknown>
  if (typeof _type !== 'string') return readStruct(given as Record<string, unknown>, depth)
  return readKind(_type, rest, depth)
}

function readStruct(given: Record<string, unknown>, depth: number): FeatureType | undefined {
  const fields: StructType = {}
  for (const [name, inner] of Object.entries(given)) {
    const field = readFeature(inner, depth + 1)
    if (!field) return undefined
    fields[name] = field
  }
  return fields
}

function readKind(kind: string, given: Record<string, unknown>, depth: number): FeatureType | undefined {
  const { dtype, names, feature, length, shape, languages, sampling_rate } = given
  switch (kind) {
    case 'Value':
      return typeof dtype === 'string' ? value(dtype) : undefined
    case 'ClassLabel':
      return isTexts(names) ? { _type: 'ClassLabel', names } : undefined
    case 'List':
    case 'LargeList':
    case 'Sequence':
      return readList(kind, feature, length, depth)
    case 'Json':
    case 'Image':
    case 'Video':
    case 'Pdf':
      return { _type: kind }
    case 'Audio':
      return typeof sampling_rate === 'number' ? { _type: kind, sampling_rate } : { _type: kind }
    case 'Array2D':
    case 'Array3D':
    case 'Array4D':
    case 'Array5D':
      return typeof dtype === 'string' && Array.isArray(shape)
        ? { _type: kind, shape: shape.map(Number), dtype }
        : undefined
    case 'Translation':
    case 'TranslationVariableLanguages':
      return { _type: kind, languages: isTexts(languages) ? languages : [] }
    default:
      return undefined
  }
}

function readList(
  kind: 'List' | 'LargeList' | 'Sequence',
  feature: unknown,
  length: unknown,
  depth: number,
): FeatureType | undefined {
  const inner = readFeature(feature, depth + 1)
  if (!inner) return undefined
  const sized = typeof length === 'number' && length >= 0 ? { length } : {}
  // datasets < 4 wrote a dict of lists as a sequence of a dict.
  if (kind === 'Sequence' && isStruct(inner))
    return Object.fromEntries(
      Object.entries(inner).map(([name, field]) => [
        name,
        { _type: 'List', feature: field, ...sized } as const,
      ]),
    )
  return { _type: kind === 'Sequence' ? 'List' : kind, feature: inner, ...sized }
}

const isTexts = (given: unknown): given is string[] =>
  Array.isArray(given) && given.every((one) => typeof one === 'string')

/** Columns as the key `huggingface` of a file gives them: `{name: type}`. Those that cannot be read are left out. */
export function readFeatures(given: unknown): Map<string, FeatureType> {
  const found = new Map<string, FeatureType>()
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return found
  for (const [name, inner] of Object.entries(given)) {
    const type = readFeature(inner)
    if (type) found.set(name, type)
  }
  return found
}

/** Text of the key `huggingface` that has the library find these columns in a Parquet file. */
export const huggingfaceKey = (features: readonly NamedFeature[]): string =>
  JSON.stringify({
    info: { features: Object.fromEntries(features.map(({ name, type }) => [name, type])) },
  })

/** Every type in a column, the column's own first. */
export function* typesIn(type: FeatureType): Generator<FeatureType> {
  yield type
  if (isStruct(type)) for (const field of Object.values(type)) yield* typesIn(field)
  else if (isKind(type, 'List', 'LargeList', 'Sequence')) yield* typesIn(type.feature)
}
