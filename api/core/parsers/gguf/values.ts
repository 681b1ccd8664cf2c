import { FormatFault, type Problems } from '../problem.ts'
import type { Cursor } from '../reader/cursor.ts'
import type { GgufValue } from './facts.ts'

const MAX_STRING = 1024 * 1024
const MAX_ARRAY = 2 ** 24
const MAX_DEPTH = 4
const MAX_FIRST = 32
const MAX_FIRST_TEXT = 1024
const STRING = 8
const ARRAY = 9

const names = 'u8 i8 u16 i16 u32 i32 f32 bool string array u64 i64 f64'.split(' ')
/** Bytes of a value of each type; 0 for strings and arrays. */
const sizes = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]

export const limit = (message: string) => new FormatFault('gguf_limit', message)

/** A number where doubles hold it, else its decimal digits. */
const exact = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : String(value)

/** Reads the counts and values of one file. */
export class GgufValues {
  readonly #cursor: Cursor
  readonly #isLittle: boolean
  readonly #version: number
  readonly #problems: Problems
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(cursor: Cursor, version: number, isLittle: boolean, problems: Problems) {
    this.#cursor = cursor
    this.#version = version
    this.#isLittle = isLittle
    this.#problems = problems
  }

  u32(): number {
    return this.#cursor.u32(this.#isLittle)
  }

  /** A count or length: 32 bits in version 1, 64 later. */
  count(): bigint {
    return this.#version === 1 ? BigInt(this.u32()) : this.#cursor.u64(this.#isLittle)
  }

  u64(): bigint {
    return this.#cursor.u64(this.#isLittle)
  }

  /** A string of at most `max` bytes. */
  string(max: number, what: string): string {
    const length = this.#length()
    if (length > max) throw limit(`${what} has ${length} bytes; at most ${max} are read.`)
    return this.#decoder.decode(this.#cursor.take(length))
  }

  /** The value of a key. A string that is too long is kept up to its limit. */
  value(type: number): GgufValue {
    if (type === ARRAY) return this.#array(0)
    if (type === STRING) return this.#text(MAX_STRING)
    return this.#scalar(type)
  }

  #text(max: number): string {
    const length = this.#length()
    const text = this.#decoder.decode(this.#cursor.take(Math.min(length, max)))
    this.#cursor.skip(Math.max(0, length - max))
    return text
  }

  #length(): number {
    const length = this.count()
    if (length > BigInt(this.#cursor.leftBytes))
      throw new FormatFault('gguf_truncated_header', `A string announces ${length} bytes.`)
    return Number(length)
  }

  #scalar(type: number): number | string | boolean {
    const size = sizes[type]
    if (!size) throw new FormatFault('gguf_unknown_type', `Type ${type} of a value is unknown.`)
    return this.#cursor.number(size, (view, at) => this.#decode(type, view, at))
  }

  #decode(type: number, view: DataView, at: number): number | string | boolean {
    const little = this.#isLittle
    if (type === 0) return view.getUint8(at)
    if (type === 1) return view.getInt8(at)
    if (type === 2) return view.getUint16(at, little)
    if (type === 3) return view.getInt16(at, little)
    if (type === 4) return view.getUint32(at, little)
    if (type === 5) return view.getInt32(at, little)
    if (type === 6) return finite(view.getFloat32(at, little))
    if (type === 10) return exact(view.getBigUint64(at, little))
    if (type === 11) return exact(view.getBigInt64(at, little))
    if (type === 12) return finite(view.getFloat64(at, little))
    const byte = view.getUint8(at)
    if (byte > 1) this.#problems.add('gguf_bad_bool', `A bool has the value ${byte}.`)
    return byte !== 0
  }

  /** Walks an array and keeps its first items: a vocabulary as JavaScript strings takes more than 100 MB. */
  #array(depth: number): GgufValue {
    if (depth === MAX_DEPTH) throw limit(`Arrays are nested more than ${MAX_DEPTH} deep.`)
    const type = this.u32()
    const length = this.count()
    if (length > BigInt(MAX_ARRAY))
      throw limit(`An array has ${length} items; at most ${MAX_ARRAY} are read.`)
    const count = Number(length)
    const least = type === STRING ? (this.#version === 1 ? 4 : 8) : type === ARRAY ? 8 : sizes[type]
    if (!least) throw new FormatFault('gguf_unknown_type', `Type ${type} of an array is unknown.`)
    if (count * least > this.#cursor.leftBytes)
      throw new FormatFault(
        'gguf_truncated_header',
        `An array announces ${count} items, which the file cannot hold.`,
      )
    const first: (string | number | boolean)[] = []
    for (let i = 0; i < count; i++) {
      if (i >= MAX_FIRST && type !== STRING && type !== ARRAY) {
        this.#cursor.skip((count - i) * least)
        break
      }
      if (type === ARRAY) this.#array(depth + 1)
      else if (type === STRING && i < MAX_FIRST) first.push(this.#text(MAX_FIRST_TEXT))
      else if (type === STRING) this.#cursor.skip(this.#length())
      else first.push(this.#scalar(type))
    }
    return { type: names[type] ?? '', length: count, first }
  }

  /** The string at one place of an array of strings, whose type comes next. */
  stringAt(place: number): string | undefined {
    if (this.u32() !== STRING) return undefined
    const count = this.count()
    if (place < 0 || BigInt(place) >= count) return undefined
    for (let i = 0; i < place; i++) this.#cursor.skip(this.#length())
    return this.#text(MAX_FIRST_TEXT)
  }
}

/** JSON has no infinities. */
const finite = (value: number): number | string => (Number.isFinite(value) ? value : String(value))
