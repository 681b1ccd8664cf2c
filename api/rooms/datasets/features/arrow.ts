import { DataType, RecordBatchReader, Type, type Field, type Schema } from 'apache-arrow'
import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'
import { json, listOf, MAX_FEATURE_DEPTH, value, type StructType } from './feature.ts'
import { statedFeatures, withStated } from './stated.ts'

/** The columns of an Arrow schema in its IPC form, as `ARROW:schema` of Parquet files holds it. Throws where it cannot be read. */
export function arrowFeatures(bytes: Uint8Array): NamedFeature[] {
  const reader = RecordBatchReader.from(bytes)
  reader.open()
  return schemaFeatures(reader.schema)
}

/** The columns of an Arrow schema as the library types them. */
export function schemaFeatures({ fields, metadata }: Schema): NamedFeature[] {
  const stated = statedFeatures(metadata.get('huggingface'))
  return fields.map((field) => withStated(stated, { name: field.name, type: fieldType(field, 0) }))
}

const units = ['s', 'ms', 'us', 'ns']

function fieldType(field: Field, depth: number): FeatureType {
  if (depth > MAX_FEATURE_DEPTH) throw new Error('the schema is nested too deep')
  const extension = field.metadata.get('ARROW:extension:name')
  if (extension === 'arrow.json') return json
  if (extension !== undefined) {
    const array = arrayType(extension, field.metadata.get('ARROW:extension:metadata') ?? '')
    if (array) return array
  }
  const type = field.type as DataType
  if (DataType.isDictionary(type))
    return fieldType(field.clone({ type: type.dictionary as DataType }), depth + 1)
  if (DataType.isStruct(type)) return structType(type.children, depth)
  if (DataType.isFixedSizeList(type))
    return { _type: 'List', feature: itemType(type.children, depth), length: type.listSize }
  if (DataType.isLargeList(type)) return { _type: 'LargeList', feature: itemType(type.children, depth) }
  if (DataType.isList(type)) return listOf(itemType(type.children, depth))
  return value(dtypeOf(type))
}

function itemType([item]: Field[], depth: number): FeatureType {
  if (!item) throw new Error('a list has no type of its items')
  return fieldType(item, depth + 1)
}

function structType(fields: Field[], depth: number): FeatureType {
  const struct: StructType = {}
  for (const field of fields) struct[field.name] = fieldType(field, depth + 1)
  return struct
}

/** An array of several dimensions: its metadata is `[shape, dtype]` (datasets: src/datasets/features/features.py). */
function arrayType(name: string, metadata: string): FeatureType | undefined {
  const dimensions = /Array([2-5])DExtensionType$/.exec(name)?.[1]
  if (dimensions === undefined) return undefined
  const [shape, dtype] = JSON.parse(metadata) as [number[], string]
  return { _type: `Array${dimensions as '2' | '3' | '4' | '5'}D`, shape, dtype }
}

function dtypeOf(type: DataType): string {
  if (DataType.isInt(type)) return `${type.isSigned ? 'int' : 'uint'}${type.bitWidth}`
  if (DataType.isFloat(type)) return ['float16', 'float32', 'float64'][type.precision] ?? 'float64'
  if (DataType.isDecimal(type)) return `decimal${type.bitWidth}(${type.precision}, ${type.scale})`
  if (DataType.isDate(type)) return type.unit === 0 ? 'date32' : 'date64'
  if (DataType.isTime(type)) return `time${type.bitWidth}[${units[type.unit]}]`
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? `, tz=${type.timezone}` : ''
    return `timestamp[${units[type.unit]}${zone}]`
  }
  if (DataType.isDuration(type)) return `duration[${units[type.unit]}]`
  if (DataType.isFixedSizeBinary(type)) return `fixed_size_binary[${type.byteWidth}]`
  const plain = plainTypes.get(type.typeId)
  if (plain === undefined) throw new Error(`the type ${String(type)} cannot be read`)
  return plain
}

const plainTypes = new Map<Type, string>([
  [Type.Null, 'null'],
  [Type.Bool, 'bool'],
  [Type.Utf8, 'string'],
  [Type.LargeUtf8, 'large_string'],
  [Type.Binary, 'binary'],
  [Type.LargeBinary, 'large_binary'],
])
