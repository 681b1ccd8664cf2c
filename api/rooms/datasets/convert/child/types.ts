import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind, isMedia, isStruct } from '../../features/feature.ts'
import { ident } from './duck.ts'
import { TaskFault } from './task-fault.ts'

const plain: Record<string, string> = {
  // Parquet files of DuckDB have no type of nothing; the type of the column is kept beside them.
  null: 'VARCHAR',
  bool: 'BOOLEAN',
  int8: 'TINYINT',
  int16: 'SMALLINT',
  int32: 'INTEGER',
  int64: 'BIGINT',
  uint8: 'UTINYINT',
  uint16: 'USMALLINT',
  uint32: 'UINTEGER',
  uint64: 'UBIGINT',
  float16: 'FLOAT',
  float32: 'FLOAT',
  float64: 'DOUBLE',
  string: 'VARCHAR',
  large_string: 'VARCHAR',
  string_view: 'VARCHAR',
  date32: 'DATE',
  date64: 'DATE',
  'timestamp[s]': 'TIMESTAMP',
  'timestamp[ms]': 'TIMESTAMP',
  'timestamp[us]': 'TIMESTAMP',
  'timestamp[ns]': 'TIMESTAMP_NS',
}

/** The type that DuckDB reads and writes a column as. */
export function duckType(type: FeatureType): string {
  if (isStruct(type)) {
    const fields = Object.entries(type).map(([name, field]) => `${ident(name)} ${duckType(field)}`)
    if (fields.length === 0)
      throw new TaskFault('FeaturesError', 'A struct without fields cannot be written as Parquet.')
    return `STRUCT(${fields.join(', ')})`
  }
  if (isKind(type, 'Json')) return 'JSON'
  if (isMedia(type)) return 'STRUCT(bytes BLOB, path VARCHAR)'
  if (isKind(type, 'ClassLabel')) return 'BIGINT'
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return `${duckType(type.feature)}[]`
  if (isKind(type, 'Value')) {
    const found =
      plain[type.dtype] ?? /^decimal\d+(\(\d+, ?\d+\))$/.exec(type.dtype)?.[1]?.replace(/^/, 'DECIMAL')
    if (found !== undefined) return found
  }
  const word = isKind(type, 'Value') ? type.dtype : String((type as Record<string, unknown>)['_type'])
  throw new TaskFault(
    'FeaturesError',
    `The card gives a column the type ${word}, which these files cannot be converted to. Store the data as Parquet.`,
  )
}
