import type { SchemaElement } from 'hyparquet'
import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind, isStruct, listOf, storageOf, value } from '../../features/feature.ts'
import { notReadable } from './task-fault.ts'

type Leaf = Omit<SchemaElement, 'name'>

const leaves: Record<string, Leaf> = {
  null: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  large_string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  binary: { type: 'BYTE_ARRAY' },
  large_binary: { type: 'BYTE_ARRAY' },
  bool: { type: 'BOOLEAN' },
  int8: { type: 'INT32', converted_type: 'INT_8' },
  int16: { type: 'INT32', converted_type: 'INT_16' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint8: { type: 'INT32', converted_type: 'UINT_8' },
  uint16: { type: 'INT32', converted_type: 'UINT_16' },
  uint32: { type: 'INT32', converted_type: 'UINT_32' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
  float16: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } },
  float32: { type: 'FLOAT' },
  float64: { type: 'DOUBLE' },
  date32: { type: 'INT32', converted_type: 'DATE' },
  date64: { type: 'INT32', converted_type: 'DATE' },
}

const units = { s: 'MILLIS', ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' } as const
const ofTime = /^(timestamp|duration|time32|time64)\[(s|ms|us|ns)(, tz=.*)?\]$/

function leafOf(dtype: string): Leaf | undefined {
  const [, kind, word, zone] = ofTime.exec(dtype) ?? []
  const unit = units[word as keyof typeof units]
  switch (kind) {
    case 'timestamp':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: zone !== undefined, unit } }
    case 'time32':
    case 'time64':
      return {
        type: kind === 'time32' ? 'INT32' : 'INT64',
        logical_type: { type: 'TIME', isAdjustedToUTC: false, unit },
      }
    case 'duration':
      return { type: 'INT64' }
  }
  const [, bytes] = /^fixed_size_binary\[(\d+)\]$/.exec(dtype) ?? []
  if (bytes !== undefined) return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: Number(bytes) }
  const [, bits, precision, scale] = /^decimal(128|256)\((\d+), ?(-?\d+)\)$/.exec(dtype) ?? []
  if (bits !== undefined)
    return {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: Number(bits) / 8,
      converted_type: 'DECIMAL',
      precision: Number(precision),
      scale: Number(scale),
    }
  return leaves[dtype]
}

/** A column in the words of a Parquet schema: the element and all below it. Throws `TaskFault`. */
export function elementsOf(name: string, type: FeatureType): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' as const }
  if (isKind(type, 'Json')) return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'JSON' }]
  const stored = isKind(type, 'Array2D', 'Array3D', 'Array4D', 'Array5D') ? nested(type) : storageOf(type)
  if (isStruct(stored)) {
    const fields = Object.entries(stored)
    const below = fields.flatMap(([field, inner]) => elementsOf(field, inner))
    return [{ ...optional, num_children: fields.length }, ...below]
  }
  if (isKind(stored, 'List', 'LargeList', 'Sequence'))
    return [
      { ...optional, converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elementsOf('element', stored.feature),
    ]
  const leaf = isKind(stored, 'Value') ? leafOf(stored.dtype) : undefined
  if (!leaf)
    throw notReadable(
      `The column ${name} has the type ${JSON.stringify(stored)}, which cannot be converted. Store the data as Parquet.`,
    )
  return [{ ...optional, ...leaf }]
}

/** An array of several dimensions is lists in lists. */
const nested = ({ shape, dtype }: { shape: readonly unknown[]; dtype: string }): FeatureType =>
  shape.reduce<FeatureType>((inner) => listOf(inner), value(dtype))
