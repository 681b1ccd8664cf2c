import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind, isStruct } from '../../features/feature.ts'

/** A value of DuckDB as the Parquet writer takes it, for a column of this type. */
export function duckValue(value: DuckDBValue, type: FeatureType): unknown {
  if (value instanceof DuckDBListValue) {
    const item = isKind(type, 'List', 'LargeList', 'Sequence') ? type.feature : type
    return value.items.map((one) => duckValue(one, item))
  }
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(
      Object.entries(value.entries).map(([name, field]) => [
        name,
        duckValue(field, (isStruct(type) && type[name]) || type),
      ]),
    )
  if (value instanceof DuckDBBlobValue) return value.bytes
  if (value instanceof DuckDBDateValue) return value.days
  if (value instanceof DuckDBDecimalValue) return value.value
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos
  // Parquet has milliseconds at least, so seconds are stored as these.
  if (value instanceof DuckDBTimestampValue) return isCoarse(type) ? value.micros / 1000n : value.micros
  return value
}

const isCoarse = (type: FeatureType) => isKind(type, 'Value') && /^timestamp\[m?s\b/.test(type.dtype)
