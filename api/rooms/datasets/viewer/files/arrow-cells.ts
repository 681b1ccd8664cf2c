import { DataType, type Data } from 'apache-arrow'
import { decimalOf } from '../../convert/child/arrow/values.ts'
import { float16 } from '../cells/float16.ts'
import { numberText } from '../cells/scalars.ts'
import {
  dateText,
  decimalText,
  durationText,
  timestampText,
  timeText,
  type TimeUnit,
} from '../cells/times.ts'

const units: TimeUnit[] = ['s', 'ms', 'us', 'ns']
const unitOf = (unit: number): TimeUnit => units[unit] ?? 'us'
const text = (value: string) => JSON.stringify(value)

type Numbers = ArrayLike<number | bigint>
const big = (values: unknown, i: number) => BigInt((values as Numbers)[i] ?? 0)

/** JSON of one value of Arrow's own memory; the library's values have no microseconds and round decimals. */
export function arrowText(data: Data, i: number): string {
  const type = data.type as DataType
  if (DataType.isNull(type) || !data.getValid(i)) return 'null'
  if (DataType.isDictionary(type)) {
    const words = data.dictionary
    const [at, part] = locate(words?.data ?? [], Number((data.values as Numbers)[i]))
    return part ? arrowText(part, at) : 'null'
  }
  if (DataType.isList(type) || DataType.isLargeList(type))
    return listText(data.children[0], offsetOf(data, i), offsetOf(data, i + 1))
  if (DataType.isFixedSizeList(type))
    return listText(data.children[0], i * type.listSize, (i + 1) * type.listSize)
  if (DataType.isStruct(type)) {
    const members = type.children.map(({ name }, k) => {
      const child = data.children[k]
      return `${text(name)}:${child ? arrowText(child, i) : 'null'}`
    })
    return `{${members.join(',')}}`
  }
  if (DataType.isMap(type)) return text(listText(data.children[0], offsetOf(data, i), offsetOf(data, i + 1)))
  return scalarText(data, type, i)
}

const offsetOf = (data: Data, i: number) => Number((data.valueOffsets as unknown as Numbers)[i])

/** Words of a dictionary come in parts. */
function locate(parts: readonly Data[], index: number): [number, Data | undefined] {
  let at = index
  for (const part of parts) {
    if (at < part.length) return [at, part]
    at -= part.length
  }
  return [0, undefined]
}

function listText(items: Data | undefined, start: number, end: number): string {
  if (!items) return '[]'
  return `[${Array.from({ length: end - start }, (_, i) => arrowText(items, start + i)).join(',')}]`
}

function scalarText(data: Data, type: DataType, i: number): string {
  const values = data.values as unknown
  if (DataType.isBool(type)) return (((values as Uint8Array)[i >> 3] ?? 0) >> (i & 7)) & 1 ? 'true' : 'false'
  if (DataType.isInt(type)) return String((values as Numbers)[i])
  if (DataType.isFloat(type))
    return numberText(
      type.precision === 0 ? float16(Number((values as Numbers)[i])) : Number((values as Numbers)[i]),
    )
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return text(bytesOf(data, i).toString('utf8'))
  if (DataType.isBinary(type) || DataType.isLargeBinary(type))
    return text(bytesOf(data, i).toString('base64'))
  if (DataType.isFixedSizeBinary(type)) {
    const all = values as Uint8Array
    return text(Buffer.from(all.subarray(i * type.byteWidth, (i + 1) * type.byteWidth)).toString('base64'))
  }
  if (DataType.isDecimal(type))
    return text(decimalText(decimalOf(values as Uint32Array, i, type.bitWidth), type.scale))
  return text(timeOf(values, type, i))
}

function timeOf(values: unknown, type: DataType, i: number): string {
  const value = big(values, i)
  // Days in 32 bits, or milliseconds in 64.
  if (DataType.isDate(type)) return dateText(type.unit === 0 ? value : value / 86_400_000n)
  if (DataType.isTime(type)) return timeText(value, unitOf(type.unit))
  if (DataType.isTimestamp(type)) return timestampText(value, unitOf(type.unit), (type.timezone ?? '') !== '')
  if (DataType.isDuration(type)) return durationText(value, unitOf(type.unit))
  return value.toString()
}

function bytesOf(data: Data, i: number): Buffer {
  const bytes = (data.values as Uint8Array).subarray(offsetOf(data, i), offsetOf(data, i + 1))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
