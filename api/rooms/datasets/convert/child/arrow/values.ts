import { DataType, type Data } from 'apache-arrow'
import { float16 } from '../../../viewer/cells/float16.ts'

type Numbers = ArrayLike<number | bigint>
const DAY_MS = 86_400_000n
const SECOND_MS = 1000

/** One value of Arrow's memory as the Parquet writer takes it; seconds become milliseconds, which Parquet has. */
export function arrowValue(data: Data, i: number): unknown {
  const type = data.type as DataType
  if (DataType.isNull(type) || !data.getValid(i)) return null
  if (DataType.isDictionary(type)) return wordOf(data, Number((data.values as Numbers)[i]))
  if (DataType.isList(type) || DataType.isLargeList(type))
    return listOf(data.children[0], offsetOf(data, i), offsetOf(data, i + 1))
  if (DataType.isFixedSizeList(type))
    return listOf(data.children[0], i * type.listSize, (i + 1) * type.listSize)
  if (DataType.isStruct(type))
    return Object.fromEntries(
      type.children.map(({ name }, k) => {
        const child = data.children[k]
        return [name, child ? arrowValue(child, i) : null]
      }),
    )
  return scalar(data, type, i)
}

const offsetOf = (data: Data, i: number) => Number((data.valueOffsets as unknown as Numbers)[i])

/** Words of a dictionary come in parts. */
function wordOf(data: Data, index: number): unknown {
  let at = index
  for (const part of data.dictionary?.data ?? []) {
    if (at < part.length) return arrowValue(part, at)
    at -= part.length
  }
  return null
}

function listOf(items: Data | undefined, start: number, end: number): unknown[] {
  return items ? Array.from({ length: end - start }, (_, i) => arrowValue(items, start + i)) : []
}

function scalar(data: Data, type: DataType, i: number): unknown {
  const values = data.values as unknown
  if (DataType.isBool(type)) return (((values as Uint8Array)[i >> 3] ?? 0) & (1 << (i & 7))) !== 0
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return bytesOf(data, i).toString('utf8')
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return bytesOf(data, i)
  if (DataType.isFixedSizeBinary(type))
    return (values as Uint8Array).subarray(i * type.byteWidth, (i + 1) * type.byteWidth)
  if (DataType.isDecimal(type)) return decimalOf(values as Uint32Array, i, type.bitWidth)
  const value = (values as Numbers)[i] ?? 0
  if (DataType.isFloat(type)) return type.precision === 0 ? float16(Number(value)) : Number(value)
  // Days in 32 bits, or milliseconds in 64.
  if (DataType.isDate(type)) return type.unit === 0 ? Number(value) : Number(BigInt(value) / DAY_MS)
  if (DataType.isTime(type) && type.unit === 0) return Number(value) * SECOND_MS
  if (DataType.isTimestamp(type) && type.unit === 0) return BigInt(value) * BigInt(SECOND_MS)
  return value
}

function bytesOf(data: Data, i: number): Buffer {
  const bytes = (data.values as Uint8Array).subarray(offsetOf(data, i), offsetOf(data, i + 1))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The unscaled number, of little-endian words of 32 bits. */
export function decimalOf(words: Uint32Array, i: number, bits: number): bigint {
  const count = bits / 32
  let value = 0n
  for (let k = count - 1; k >= 0; k--) value = (value << 32n) | BigInt(words[i * count + k] ?? 0)
  return BigInt.asIntN(bits, value)
}
