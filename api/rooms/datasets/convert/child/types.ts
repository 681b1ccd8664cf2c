import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind, isMedia, isStruct } from '../../features/feature.ts'
import { ident } from '../../sql-text.ts'
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

/** What text and JSON have no form for, and Parquet files have types for. */
const ofParquet: Record<string, string> = {
  binary: 'BLOB',
  large_binary: 'BLOB',
  binary_view: 'BLOB',
  fixed_size_binary: 'BLOB',
  time32: 'TIME',
  time64: 'TIME',
  'time64[ns]': 'TIME_NS',
  // Of a point in time with a zone, whose nanoseconds DuckDB drops.
  timestamp: 'TIMESTAMPTZ',
  // Only the schema of Arrow says that these numbers are durations.
  duration: 'BIGINT',
}

const withoutUnit = (dtype: string) => dtype.replace(/\[.*/, '')

/** The type that DuckDB reads and writes a column as; `isParquet` says that it comes from a Parquet file. */
export function duckType(type: FeatureType, isParquet = false): string {
  if (isStruct(type)) {
    const fields = Object.entries(type).map(([name, field]) => `${ident(name)} ${duckType(field, isParquet)}`)
    if (fields.length === 0)
      throw new TaskFault('FeaturesError', 'A struct without fields cannot be written as Parquet.')
    return `STRUCT(${fields.join(', ')})`
  }
  if (isKind(type, 'Json')) return 'JSON'
  if (isMedia(type)) return 'STRUCT(bytes BLOB, path VARCHAR)'
  if (isKind(type, 'ClassLabel')) return 'BIGINT'
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return `${duckType(type.feature, isParquet)}[]`
  if (isKind(type, 'Value')) {
    const found =
      plain[type.dtype] ?? /^decimal\d+(\(\d+, ?\d+\))$/.exec(type.dtype)?.[1]?.replace(/^/, 'DECIMAL')
    if (found !== undefined) return found
    const stored = isParquet && (ofParquet[type.dtype] ?? ofParquet[withoutUnit(type.dtype)])
    if (stored) return stored
  }
  const word = isKind(type, 'Value') ? type.dtype : String((type as Record<string, unknown>)['_type'])
  throw new TaskFault(
    'FeaturesError',
    `A column has the type ${word}, which these files cannot be converted to. Store the data as Parquet.`,
  )
}
