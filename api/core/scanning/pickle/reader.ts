import { Cursor, EndOfFile, type FileBytes } from '../../parsers/index.ts'
import { plain, type Value } from './values.ts'

const MAX_LINE = 64 * 1024
/** Texts this long are no names. */
const MAX_NAME = 4096
/** How much of bytes is looked at to see what they are. */
const HEAD_BYTES = 64

/** An opcode that Python would refuse as well. */
export class BadOpcode extends Error {
  readonly code: string

  constructor(message: string, code = 'pickle_bad_opcode') {
    super(message)
    this.code = code
  }
}

/** Where a text or bytes are. Protocol 2 writes bytes as text: each as the character of its number, in UTF-8. */
export interface Data {
  at: number
  length: number
  isText: boolean
}

/** Reads the arguments of opcodes. `onData` gets each text and bytes, with how it begins. */
export class PickleReader {
  readonly cursor: Cursor
  readonly #onData: (head: Uint8Array, data: Data) => void
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(file: FileBytes, at: number, onData: (head: Uint8Array, data: Data) => void) {
    this.cursor = new Cursor(file, at)
    this.#onData = onData
  }

  line(): string {
    let text = ''
    for (let code = this.cursor.byte(); code !== 0x0a; code = this.cursor.byte()) {
      if (code === -1) throw new EndOfFile()
      if (text.length === MAX_LINE) throw new BadOpcode(`A line has more than ${MAX_LINE} bytes.`)
      text += String.fromCharCode(code)
    }
    return Buffer.from(text, 'latin1').toString('utf8')
  }

  /** A text or bytes whose length comes before it. */
  sized(length: number | bigint, kind: 'text' | 'bytes'): Value {
    const { cursor } = this
    if (BigInt(length) > BigInt(Math.max(0, cursor.leftBytes))) throw new EndOfFile()
    const size = Number(length)
    const at = cursor.at
    const isName = kind === 'text' && size <= MAX_NAME
    const head = cursor.take(isName ? size : Math.min(size, HEAD_BYTES))
    const text = isName ? this.#decoder.decode(head) : undefined
    this.#onData(head, { at, length: size, isText: kind === 'text' })
    cursor.seek(at + size)
    return kind === 'text' ? { kind, text, at, length: size } : { kind, at, length: size, isText: false }
  }

  /** STRING of protocol 0: as Python writes it, in quotes. */
  quoted(): Value {
    const at = this.cursor.at + 1
    const line = this.line().trim()
    const length = Math.max(0, line.length - 2)
    this.#onData(Buffer.from(line.slice(1, 1 + HEAD_BYTES)), { at, length, isText: true })
    return { kind: 'text', text: unescaped(line.replace(/^(['"])(.*)\1$/s, '$2')), at, length }
  }

  /** UNICODE of protocol 0: `raw-unicode-escape`, so that `\u006f` is an `o`. */
  unicodeLine(): Value {
    const at = this.cursor.at
    const line = this.line()
    this.#onData(Buffer.from(line.slice(0, HEAD_BYTES)), { at, length: line.length, isText: true })
    const text = line.replaceAll(
      /\\u([0-9a-fA-F]{4})|\\U00([01][0-9a-fA-F]{5})/g,
      (_, short?: string, long = '0') => character(Number.parseInt(short ?? (long as string), 16)),
    )
    return { kind: 'text', text, at, length: line.length }
  }

  /** An integer of any length. */
  long(length: number): Value {
    const { cursor } = this
    if (length > cursor.leftBytes) throw new EndOfFile()
    if (length > 64) {
      cursor.skip(length)
      return plain
    }
    const bits = BigInt(8 * length)
    let value = 0n
    for (const [i, byte] of cursor.take(length).entries()) value |= BigInt(byte) << BigInt(8 * i)
    return { kind: 'number', value: length > 0 && value >> (bits - 1n) ? value - (1n << bits) : value }
  }

  /** INT and LONG of protocol 0, which also write booleans. */
  number(): Value {
    const text = this.line().trim().replaceAll('_', '').replace(/L$/, '')
    return /^[+-]?\d{1,100}$/.test(text) ? { kind: 'number', value: small(BigInt(text)) } : plain
  }

  /** A place in the memo as protocol 0 writes it. */
  place(): number | bigint {
    const value = this.number()
    if (value.kind !== 'number') throw new BadOpcode('A place in the memo is no number.')
    return value.value
  }
}

/** Keys of the memo are equal whatever opcode writes them. */
const small = (value: bigint): number | bigint =>
  value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' }

/** The escapes of a Python string that names can hide behind. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([^]))/g,
    (whole, hex?: string, octal?: string, letter = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return letters[letter as string] ?? whole
    },
  )
}
