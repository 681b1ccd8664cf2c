import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimeNSValue,
  DuckDBTimeValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
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
  if (value instanceof DuckDBTimestampNanosecondsValue || value instanceof DuckDBTimeNSValue)
    return value.nanos
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return inUnit(value.micros, type)
  // The writer has times in milliseconds in 32 bits.
  if (value instanceof DuckDBTimeValue)
    return isKind(type, 'Value') && type.dtype.startsWith('time32')
      ? Number(inUnit(value.micros, type))
      : value.micros
  return value
}

/** Parquet has milliseconds at least, so seconds are stored as these. */
function inUnit(micros: bigint, type: FeatureType): bigint {
  const [, unit] = (isKind(type, 'Value') && /\[(m?s|ns)\b/.exec(type.dtype)) || []
  if (unit === undefined) return micros
  return unit === 'ns' ? micros * 1000n : micros / 1000n
}
