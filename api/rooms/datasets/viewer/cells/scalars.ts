import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind } from '../../features/feature.ts'
import type { SchemaNode } from '../parquet/footer.ts'
import { float16 } from './float16.ts'
import {
  bigEndian,
  dateText,
  decimalText,
  durationText,
  timestampText,
  timeText,
  type TimeUnit,
} from './times.ts'

/** JSON text of a value that is not null. */
type Scalar = (value: unknown) => string

const text = (value: string) => JSON.stringify(value)
const utf8 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
const asBigInt = (value: unknown) => (typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value))))
const units = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const

/** NaN and the infinities are null: JSON has no words for them. */
export const numberText = (value: number): string => (Number.isFinite(value) ? JSON.stringify(value) : 'null')

const dtypeOf = (type: FeatureType | undefined) => (type && isKind(type, 'Value') ? type.dtype : '')

/** `timestamp[us, tz=UTC]` in its parts; where the column itself says nothing of its unit, its feature does. */
const inDtype = /^(timestamp|duration|time32|time64)\[(s|ms|us|ns)(?:, tz=(.*))?\]$/

/** How the values of a leaf column are written. `undefined` for one that needs its feature alone. */
export function scalarWriter(element: SchemaNode['element'], type: FeatureType | undefined): Scalar {
  const dtype = dtypeOf(type)
  switch (element.type) {
    case 'BOOLEAN':
      return (value) => (value ? 'true' : 'false')
    case 'FLOAT':
    case 'DOUBLE':
      return (value) => numberText(Number(value))
    case 'INT32':
    case 'INT64':
      return integers(element, dtype)
    case 'INT96':
      return (value) => text(timestampText(asBigInt(value), 'ns', false))
    default:
      return bytes(element, type, dtype)
  }
}

function integers(element: SchemaNode['element'], dtype: string): Scalar {
  const { converted_type: converted, logical_type: logical, type } = element
  const [, kind, unit, zone] = inDtype.exec(dtype) ?? []
  if (kind === 'duration') return (value) => text(durationText(asBigInt(value), unit as TimeUnit))
  if (converted === 'DATE' || logical?.type === 'DATE') return (value) => text(dateText(asBigInt(value)))
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL')
    return (value) => text(decimalText(asBigInt(value), scaleOf(element)))
  if (logical?.type === 'TIMESTAMP')
    return (value) => text(timestampText(asBigInt(value), units[logical.unit], logical.isAdjustedToUTC))
  if (logical?.type === 'TIME') return (value) => text(timeText(asBigInt(value), units[logical.unit]))
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS')
    return (value) =>
      text(timestampText(asBigInt(value), converted === 'TIMESTAMP_MILLIS' ? 'ms' : 'us', zone !== undefined))
  if (converted === 'TIME_MILLIS') return (value) => text(timeText(asBigInt(value), 'ms'))
  if (converted === 'TIME_MICROS') return (value) => text(timeText(asBigInt(value), 'us'))
  const isUnsigned =
    converted?.startsWith('UINT') === true || (logical?.type === 'INTEGER' && !logical.isSigned)
  if (!isUnsigned) return (value) => String(value)
  return type === 'INT64'
    ? (value) => BigInt.asUintN(64, asBigInt(value)).toString()
    : (value) => String(Number(value) >>> 0)
}

const scaleOf = ({ logical_type: logical, scale }: SchemaNode['element']) =>
  (logical?.type === 'DECIMAL' ? logical.scale : scale) ?? 0

function bytes(element: SchemaNode['element'], type: FeatureType | undefined, dtype: string): Scalar {
  const { converted_type: converted, logical_type: logical } = element
  const of = (write: (value: Uint8Array) => string) => (value: unknown) =>
    value instanceof Uint8Array ? write(value) : text(String(value))
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL')
    return of((value) => text(decimalText(bigEndian(value), scaleOf(element))))
  if (logical?.type === 'FLOAT16')
    return of((value) => numberText(float16((value[0] ?? 0) | ((value[1] ?? 0) << 8))))
  if (logical?.type === 'UUID')
    return of((value) =>
      text(
        Buffer.from(value)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      ),
    )
  if (converted === 'INTERVAL' || logical?.type === 'INTERVAL')
    return of((value) => text(intervalText(value)))
  if (type && isKind(type, 'Json')) return of((value) => jsonText(utf8(value)))
  const isText =
    converted === 'UTF8' ||
    converted === 'JSON' ||
    converted === 'ENUM' ||
    ['STRING', 'JSON', 'ENUM'].includes(logical?.type ?? '') ||
    /string/.test(dtype)
  return isText
    ? of((value) => text(utf8(value)))
    : of((value) => text(Buffer.from(value).toString('base64')))
}

/** Months, days and milliseconds, each of four bytes (Parquet, LogicalTypes.md, "INTERVAL"). */
function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [months, days, ms] = [0, 4, 8].map((at) => (at + 4 <= bytes.length ? view.getUint32(at, true) : 0))
  return `${months} months ${days} days ${ms} ms`
}

/** JSON as it is stored, so that long integers keep their digits; what is no JSON is a string. */
function jsonText(stored: string): string {
  try {
    JSON.parse(stored)
    return stored
  } catch {
    return text(stored)
  }
}
