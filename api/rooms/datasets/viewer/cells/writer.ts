import type { FeatureType } from '../../../../../shared/viewer.ts'
import type { SchemaNode } from '../parquet/footer.ts'
import { isKind, isMedia, isStruct } from '../../features/feature.ts'
import { mediaWriter } from './media.ts'
import { CellText, type Asset, type WriteCell } from './out.ts'
import { scalarWriter } from './scalars.ts'

/**
 * How the values of a column are written: by what the file says of their storage, and by their feature where the file
 * does not know, as of media, JSON and durations.
 */
export function cellWriter(node: SchemaNode, type?: FeatureType): WriteCell {
  const write = valueWriter(node, type)
  return node.element.repetition_type === 'REPEATED' ? listOf(write) : orNull(write)
}

const orNull =
  (write: WriteCell): WriteCell =>
  (value, out, at) =>
    value === null || value === undefined ? out.add('null') : write(value, out, at)

function valueWriter(node: SchemaNode, type: FeatureType | undefined): WriteCell {
  if (type && isMedia(type)) return mediaWriter(mediaKind(type))
  if (node.children.length === 0) {
    const scalar = scalarWriter(node.element, type)
    return (value, out) => out.add(scalar(value))
  }
  const group = isList(node) ? listWriter(node, type) : structWriter(node, type)
  return type && isKind(type, 'Value') ? asText(group) : group
}

/** The kind of a media type. */
const mediaKind = (type: FeatureType): Asset['kind'] =>
  isKind(type, 'Audio') ? 'Audio' : isKind(type, 'Video') ? 'Video' : isKind(type, 'Pdf') ? 'Pdf' : 'Image'

/** Maps, which the library refuses, are shown as text. */
const asText =
  (write: WriteCell): WriteCell =>
  (value, out, at) => {
    const inner = new CellText()
    write(value, inner, at)
    out.add(JSON.stringify(inner.end().join('')))
  }

const isList = ({ element, children }: SchemaNode) =>
  (element.converted_type === 'LIST' || element.logical_type?.type === 'LIST') &&
  children.length === 1 &&
  (children[0]?.children.length ?? 0) <= 1

/** Of the three levels of a list (Parquet, LogicalTypes.md, "Lists") the middle one is left out in old files. */
function listWriter(node: SchemaNode, type: FeatureType | undefined): WriteCell {
  const [repeated] = node.children
  const element = repeated?.children[0] ?? repeated
  if (!element) return (_, out) => out.add('[]')
  const inner = valueWriter(element, elementType(type))
  return listOf(orNull(inner))
}

function elementType(type: FeatureType | undefined): FeatureType | undefined {
  return type && isKind(type, 'List', 'LargeList', 'Sequence') ? type.feature : undefined
}

function listOf(write: WriteCell): WriteCell {
  return (value, out, at) => {
    const items = Array.isArray(value) ? value : Array.from(value as ArrayLike<unknown>)
    out.add('[')
    items.forEach((item, i) => {
      if (i > 0) out.add(',')
      write(item, out, [...at, i])
    })
    out.add(']')
  }
}

function structWriter(node: SchemaNode, type: FeatureType | undefined): WriteCell {
  const fields = node.children.map((child) => {
    const { name } = child.element
    return { name, key: JSON.stringify(name), write: cellWriter(child, fieldType(type, name)) }
  })
  return (value, out, at) => {
    const stored = value as Record<string, unknown>
    out.add('{')
    fields.forEach(({ name, key, write }, i) => {
      out.add(`${i > 0 ? ',' : ''}${key}:`)
      write(stored[name], out, [...at, name])
    })
    out.add('}')
  }
}

function fieldType(type: FeatureType | undefined, name: string): FeatureType | undefined {
  return type && isStruct(type) ? type[name] : undefined
}
