import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'
import { isKind, isStruct } from '../features/feature.ts'

/** A column, or a part of one, in a description of a dataset (docs/protocols/dataset-viewer.md §7). */
export interface CroissantField {
  '@type': 'cr:Field'
  '@id': string
  dataType?: string
  source?: object
  subField?: CroissantField[]
  isArray?: true
  arrayShape?: string
  references?: object
}

const plainTypes: Record<string, string> = {
  binary: 'sc:Text',
  large_binary: 'sc:Text',
  string: 'sc:Text',
  large_string: 'sc:Text',
  string_view: 'sc:Text',
  bool: 'sc:Boolean',
  date32: 'sc:Date',
  date64: 'sc:Date',
  float16: 'cr:Float16',
  float32: 'cr:Float32',
  float64: 'cr:Float64',
  ...Object.fromEntries(
    [8, 16, 32, 64].flatMap((bits) => [
      [`int${bits}`, `cr:Int${bits}`],
      [`uint${bits}`, `cr:UInt${bits}`],
    ]),
  ),
}

function dataTypeOf(type: FeatureType): string | undefined {
  if (isKind(type, 'ClassLabel')) return 'sc:Integer'
  if (isKind(type, 'Image')) return 'sc:ImageObject'
  if (isKind(type, 'Audio')) return 'sc:AudioObject'
  if (isKind(type, 'Video')) return 'sc:VideoObject'
  if (!isKind(type, 'Value')) return undefined
  const { dtype } = type
  if (dtype.startsWith('timestamp')) return 'sc:DateTime'
  return dtype.startsWith('time') ? 'sc:Time' : plainTypes[dtype]
}

/** Where a field lies: a column of the files, and the way within its cells. */
interface Place {
  fileSet: string
  column: string
  path: string[]
}

/** A column as a field; nothing for a type that Croissant has no word for. */
export const fieldOf = (
  { name, type }: NamedFeature,
  { id, fileSet }: { id: string; fileSet: string },
): CroissantField | undefined => describe(type, id, { fileSet, column: name, path: [] })

function describe(type: FeatureType, id: string, place: Place): CroissantField | undefined {
  const base = { '@type': 'cr:Field', '@id': id } as const
  if (isStruct(type)) {
    const ids = new Ids()
    const parts = Object.entries(type).flatMap(([name, part]) => {
      const inner = { ...place, path: [...place.path, keyOf(name)] }
      return describe(part, `${id}/${ids.take(name)}`, inner) ?? []
    })
    return parts.length === 0 ? undefined : { ...base, subField: parts }
  }
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return listField(type, id, place)
  const dataType = dataTypeOf(type)
  if (dataType === undefined) return undefined
  const isMedia = isKind(type, 'Image', 'Audio', 'Video')
  return {
    ...base,
    dataType,
    source: sourceOf(isMedia ? { ...place, path: [...place.path, 'bytes'] } : place),
  }
}

function listField(type: FeatureType, id: string, place: Place): CroissantField | undefined {
  const shape: number[] = []
  let inner = type
  while (isKind(inner, 'List', 'LargeList', 'Sequence')) {
    shape.push(inner.length ?? -1)
    inner = inner.feature
  }
  const field = describe(inner, id, place)
  return field && { ...field, isArray: true, arrayShape: shape.join(',') }
}

function sourceOf({ fileSet, column, path }: Place): object {
  const steps = path.map((jsonPath) => ({ jsonPath }))
  const transform = steps.length === 0 ? {} : { transform: steps.length === 1 ? steps[0] : steps }
  return { fileSet: { '@id': fileSet }, extract: { column }, ...transform }
}

/** A key in JSONPath. */
const keyOf = (name: string) =>
  /^\w+$/.test(name) ? name : `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`

/** Ids of one document: `/` separates their parts, and none comes twice. */
export class Ids {
  readonly #taken = new Set<string>()

  take(name: string): string {
    let id = name.replaceAll(/[^\w.-]/g, '_')
    while (this.#taken.has(id)) id += '_0'
    this.#taken.add(id)
    return id
  }
}
