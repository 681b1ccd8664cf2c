import type { FileMetaData, LogicalType, SchemaElement, SchemaTree } from 'hyparquet'
import { parquetSchema } from 'hyparquet'
import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'
import { arrowFeatures } from './arrow.ts'
import { isKind, isStruct, json, listOf, MAX_FEATURE_DEPTH, value, type StructType } from './feature.ts'
import { MAX_KEY_BYTES, statedFeatures, withStated } from './stated.ts'

/** The columns of a Parquet file. */
export interface ParquetColumns {
  features: NamedFeature[]
  /** Columns that the library refuses: maps, intervals, what nests too deep. They are shown as text. */
  unreadable: string[]
}

/**
 * The columns of a Parquet file as the library types them: what `ARROW:schema` says, else its own schema; the key
 * `huggingface` speaks for columns whose bytes are of its type.
 */
export function parquetColumns(metadata: FileMetaData): ParquetColumns {
  const keys = new Map(metadata.key_value_metadata?.map((pair) => [pair.key, pair.value ?? '']))
  const arrow = arrowSchemaOf(keys.get('ARROW:schema'))
  const unreadable: string[] = []
  const stated = statedFeatures(keys.get('huggingface'))
  const features = parquetSchema(metadata).children.map((tree) => {
    const { name } = tree.element
    const found = typeOf(tree, 0)
    if (!found) unreadable.push(name)
    const plain = found ? restored(found, arrow.get(name)) : value('string')
    return withStated(stated, { name, type: plain })
  })
  return { features, unreadable }
}

/**
 * What pyarrow 26 makes of both schemas: the Arrow type, but that a timestamp keeps the unit it is stored in (seconds are
 * stored as milliseconds).
 */
function restored(stored: FeatureType, arrow: FeatureType | undefined): FeatureType {
  if (!arrow) return stored
  if (isKind(stored, 'Value') && isKind(arrow, 'Value')) {
    const unit = /^timestamp\[(\w+)/.exec(stored.dtype)?.[1]
    const isTime = unit !== undefined && arrow.dtype.startsWith('timestamp[')
    return isTime ? value(arrow.dtype.replace(/\[\w+/, `[${unit}`)) : arrow
  }
  if (isStruct(stored) && isStruct(arrow))
    return Object.fromEntries(
      Object.entries(stored).map(([name, field]) => [name, restored(field, arrow[name])]),
    )
  if (isKind(stored, 'List', 'LargeList', 'Sequence') && isKind(arrow, 'List', 'LargeList', 'Sequence'))
    return { ...arrow, feature: restored(stored.feature, arrow.feature) }
  return arrow
}

function arrowSchemaOf(text: string | undefined): Map<string, FeatureType> {
  if (text === undefined || text.length > MAX_KEY_BYTES) return new Map()
  try {
    return new Map(arrowFeatures(Buffer.from(text, 'base64')).map(({ name, type }) => [name, type]))
  } catch {
    // A type that this Arrow library does not know, such as a view of strings.
    return new Map()
  }
}

/** `undefined` for what the library cannot read. */
function typeOf(tree: SchemaTree, depth: number): FeatureType | undefined {
  if (depth > MAX_FEATURE_DEPTH) return undefined
  const { element, children } = tree
  const isRepeated = element.repetition_type === 'REPEATED'
  const own = children.length === 0 && element.type !== undefined ? leafType(element) : groupType(tree, depth)
  // A repeated field outside a list group is a list of its own (Parquet LogicalTypes.md, "Lists").
  return own && isRepeated ? listOf(own) : own
}

function groupType({ element, children }: SchemaTree, depth: number): FeatureType | undefined {
  const kind = element.logical_type?.type ?? element.converted_type
  if (kind === 'MAP' || kind === 'MAP_KEY_VALUE') return undefined
  const [repeated] = children
  if (kind === 'LIST' && children.length === 1 && repeated?.element.repetition_type === 'REPEATED') {
    const inner = itemType(repeated, element.name, depth + 1)
    return inner && listOf(inner)
  }
  return structType(children, depth)
}

/** The item of a list: the repeated group's only child, unless the group itself is the item. */
function itemType(repeated: SchemaTree, listName: string, depth: number): FeatureType | undefined {
  const { element, children } = repeated
  const [only] = children
  const isItem = children.length !== 1 || element.name === 'array' || element.name === `${listName}_tuple`
  if (children.length === 0) return leafType(element)
  if (isItem || !only) return structType(children, depth)
  return typeOf(only, depth)
}

function structType(children: SchemaTree[], depth: number): FeatureType | undefined {
  const fields: StructType = {}
  for (const child of children) {
    const type = typeOf(child, depth + 1)
    if (!type) return undefined
    fields[child.element.name] = type
  }
  return fields
}

const units = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const

function leafType(element: SchemaElement): FeatureType | undefined {
  const logical = element.logical_type
  if (logical) {
    const found = logicalType(logical, element)
    if (found !== undefined) return found === 'none' ? undefined : found
  }
  const converted = element.converted_type && convertedType(element)
  if (converted !== undefined) return converted === 'none' ? undefined : converted
  return physicalType(element)
}

function logicalType(logical: LogicalType, element: SchemaElement): FeatureType | 'none' | undefined {
  switch (logical.type) {
    case 'STRING':
    case 'ENUM':
      return value('string')
    case 'JSON':
      return json
    case 'NULL':
      return value('null')
    case 'DATE':
      return value('date32')
    case 'FLOAT16':
      return value('float16')
    case 'UUID':
      return value('fixed_size_binary[16]')
    case 'DECIMAL':
      return decimal(logical.precision, logical.scale)
    case 'INTEGER':
      return value(`${logical.isSigned ? 'int' : 'uint'}${logical.bitWidth}`)
    case 'TIME':
      return value(logical.unit === 'MILLIS' ? 'time32[ms]' : `time64[${units[logical.unit]}]`)
    case 'TIMESTAMP': {
      // Without a schema of Arrow's own a zoned one is of UTC.
      const zone = logical.isAdjustedToUTC ? ', tz=UTC' : ''
      return value(`timestamp[${units[logical.unit]}${zone}]`)
    }
    case 'INTERVAL':
      return 'none'
    default:
      return element.type === undefined ? 'none' : undefined
  }
}

const decimal = (precision: number, scale: number): FeatureType =>
  value(`decimal${precision > 38 ? 256 : 128}(${precision}, ${scale})`)

const convertedTypes: Partial<Record<string, string>> = {
  UTF8: 'string',
  ENUM: 'string',
  DATE: 'date32',
  TIME_MILLIS: 'time32[ms]',
  TIME_MICROS: 'time64[us]',
  TIMESTAMP_MILLIS: 'timestamp[ms, tz=UTC]',
  TIMESTAMP_MICROS: 'timestamp[us, tz=UTC]',
  UINT_8: 'uint8',
  UINT_16: 'uint16',
  UINT_32: 'uint32',
  UINT_64: 'uint64',
  INT_8: 'int8',
  INT_16: 'int16',
  INT_32: 'int32',
  INT_64: 'int64',
}

function convertedType({
  converted_type: kind,
  ...element
}: SchemaElement): FeatureType | 'none' | undefined {
  if (kind === 'JSON') return json
  if (kind === 'INTERVAL') return 'none'
  if (kind === 'DECIMAL') return decimal(element.precision ?? 38, element.scale ?? 0)
  const dtype = kind && convertedTypes[kind]
  return dtype === undefined ? undefined : value(dtype)
}

function physicalType({ type, type_length }: SchemaElement): FeatureType | undefined {
  switch (type) {
    case 'BOOLEAN':
      return value('bool')
    case 'INT32':
      return value('int32')
    case 'INT64':
      return value('int64')
    case 'INT96':
      return value('timestamp[ns]')
    case 'FLOAT':
      return value('float32')
    case 'DOUBLE':
      return value('float64')
    case 'BYTE_ARRAY':
      return value('binary')
    case 'FIXED_LEN_BYTE_ARRAY':
      return value(`fixed_size_binary[${type_length ?? 0}]`)
    default:
      return undefined
  }
}
