import { FormatFault, Problems } from '../problem.ts'
import { Cursor, EndOfFile } from '../reader/cursor.ts'
import { MeteredBytes, OverBudget, type FileBytes } from '../reader/file-bytes.ts'
import type { GgufFacts, GgufTensor, GgufValue } from './facts.ts'
import { Layout } from './layout.ts'
import { meaningOf } from './meaning.ts'
import { GgufValues, limit } from './values.ts'

const MAX_KEYS = 100_000
const MAX_TENSORS = 1_000_000
const MAX_LISTED = 50_000
const MAX_KEY_BYTES = 65_535
const MAX_NAME_BYTES = 63
const MAX_DIMS = 4
const MAX_DIMENSION = 1n << 32n
const MAX_HEADER_BYTES = 128 * 1024 * 1024
const MAGIC = 'GGUF'
/** Reading a special token means to walk the vocabulary once more. */
const TOKENS = 'tokenizer.ggml.tokens'

/** Reads the header of a GGUF file, versions 1 to 3 of both byte orders (indexing.md §2). Bytes of tensors are not read. */
export function readGguf(file: FileBytes): GgufFacts {
  return new Header(file).read()
}

class Header {
  readonly #file: FileBytes
  readonly #problems = new Problems()
  readonly #metadata = new Map<string, GgufValue>()
  readonly #tensors: GgufTensor[] = []
  readonly #layout: Layout
  #version = 0
  #isBigEndian = false
  #dataOffset = 0
  #tensorCount = 0
  #tokensAt: number | undefined

  constructor(file: FileBytes) {
    // Read-ahead at the end, and special tokens, come on top of what is walked.
    this.#file = new MeteredBytes(file, 3 * MAX_HEADER_BYTES)
    this.#layout = new Layout(this.#problems)
  }

  read(): GgufFacts {
    try {
      this.#walk()
    } catch (error) {
      this.#explain(error)
    }
    return {
      format: 'gguf',
      version: this.#version,
      isBigEndian: this.#isBigEndian,
      metadata: [...this.#metadata],
      tensorCount: this.#tensorCount,
      tensors: this.#tensors,
      isTruncated: this.#tensors.length < this.#tensorCount,
      parameters: this.#layout.parameters(),
      parametersByType: Object.fromEntries(this.#layout.parametersByType),
      bytesByType: Object.fromEntries(this.#layout.bytesByType),
      dataOffset: this.#dataOffset,
      ...meaningOf(this.#metadata, (place) => this.#token(place)),
      problems: this.#problems.list(),
    }
  }

  #walk(): void {
    const cursor = new Cursor(this.#file)
    if (this.#file.sizeBytes < 4 || String.fromCharCode(...cursor.take(4)) !== MAGIC)
      throw new FormatFault('gguf_bad_magic', 'The file does not begin with GGUF.')
    const values = this.#begin(cursor)
    const tensorCount = values.count()
    const keyCount = values.count()
    if (tensorCount > BigInt(MAX_TENSORS))
      throw limit(`The header announces ${tensorCount} tensors; at most ${MAX_TENSORS} are read.`)
    if (keyCount > BigInt(MAX_KEYS))
      throw limit(`The header announces ${keyCount} keys; at most ${MAX_KEYS} are read.`)
    for (let i = 0; i < Number(keyCount); i++) this.#key(cursor, values)
    for (let i = 0; i < Number(tensorCount); i++) this.#tensor(cursor, values)
    const alignment = this.#alignment()
    this.#dataOffset = Math.ceil(cursor.at / alignment) * alignment
    this.#layout.check(this.#file.sizeBytes, this.#dataOffset, alignment)
  }

  /** The version, whose bytes also tell their order: the low half of a small number is not 0. */
  #begin(cursor: Cursor): GgufValues {
    const version = cursor.u32()
    this.#isBigEndian = (version & 0xffff) === 0
    this.#version = this.#isBigEndian ? version >>> 24 : version
    if (this.#version < 1 || this.#version > 3)
      throw new FormatFault('gguf_version_unsupported', `Version ${this.#version} is not known; 1 to 3 are.`)
    if (this.#version === 1)
      this.#problems.add('gguf_version_old', 'Version 1 is not read by llama.cpp any more.', 'warning')
    return new GgufValues(cursor, this.#version, !this.#isBigEndian, this.#problems)
  }

  #key(cursor: Cursor, values: GgufValues): void {
    const key = values.string(MAX_KEY_BYTES, 'A key')
    const type = values.u32()
    if (key === TOKENS) this.#tokensAt = cursor.at
    const value = values.value(type)
    if (this.#metadata.has(key)) this.#problems.add('gguf_duplicate_key', `The key ${key} is there twice.`)
    else this.#metadata.set(key, value)
    this.#bound(cursor)
  }

  #tensor(cursor: Cursor, values: GgufValues): void {
    const name = values.string(MAX_KEY_BYTES, 'The name of a tensor')
    if (Buffer.byteLength(name) > MAX_NAME_BYTES)
      this.#problems.add('gguf_limit', `The name ${name} has more than ${MAX_NAME_BYTES} bytes.`)
    const dims = values.u32()
    if (dims > MAX_DIMS) throw limit(`Tensor ${name} has ${dims} dimensions; at most ${MAX_DIMS} are read.`)
    const shape = Array.from({ length: dims }, () => values.count())
    const type = values.u32()
    const offset = values.u64()
    if (shape.some((dimension) => dimension > MAX_DIMENSION))
      this.#problems.add('gguf_shape_overflow', `Tensor ${name} has a dimension above 2^32.`)
    const typeName = this.#layout.add({ name, shape, type, offset })
    this.#tensorCount++
    if (this.#tensors.length < MAX_LISTED)
      this.#tensors.push({ name, type: typeName, shape: shape.map(Number), offset: Number(offset) })
    this.#bound(cursor)
  }

  #bound(cursor: Cursor): void {
    if (cursor.at > MAX_HEADER_BYTES) throw limit(`The header has more than ${MAX_HEADER_BYTES} bytes.`)
  }

  #alignment(): number {
    const stated = this.#metadata.get('general.alignment')
    if (stated === undefined) return 32
    if (typeof stated === 'number' && Number.isInteger(Math.log2(stated)) && stated >= 1) return stated
    this.#problems.add('gguf_bad_alignment', `general.alignment must be a power of two.`)
    return 32
  }

  /** The text of a token. */
  #token(place: number): string | undefined {
    if (this.#tokensAt === undefined) return undefined
    const cursor = new Cursor(this.#file, this.#tokensAt)
    try {
      return new GgufValues(cursor, this.#version, !this.#isBigEndian, new Problems()).stringAt(place)
    } catch (error) {
      if (error instanceof FormatFault) return undefined
      throw error
    }
  }

  #explain(error: unknown): void {
    if (error instanceof EndOfFile)
      this.#problems.add('gguf_truncated_header', 'The file ends inside of its header.')
    else if (error instanceof OverBudget) this.#problems.add('gguf_limit', error.message)
    else if (error instanceof FormatFault) this.#problems.add(error.code, error.message)
    else throw error
  }
}
