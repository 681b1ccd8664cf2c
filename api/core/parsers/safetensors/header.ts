import { JsonFault, JsonReader } from '../json/json-reader.ts'
import { textOf } from '../json/utf8.ts'
import { FormatFault, Problems } from '../problem.ts'
import { Cursor } from '../reader/cursor.ts'
import type { FileBytes } from '../reader/file-bytes.ts'
import { dtypeBits } from './dtypes.ts'
import { readEntry, type Entry } from './entry.ts'
import type { SafetensorsFacts, SafetensorsTensor } from './facts.ts'
import { checkLayout, sizeFault } from './layout.ts'
import { ParameterCount, type Quantization } from './parameters.ts'

/** The reference library refuses longer headers. */
const MAX_HEADER_BYTES = 100_000_000
/** huggingface_hub and huggingface.js refuse longer headers. */
const CLIENT_HEADER_BYTES = 25_000_000
const MAX_LISTED = 50_000
const MAX_TENSORS = 2_000_000
const MAX_METADATA = 1000
const MAX_METADATA_TEXT = 64 * 1024

const plural = (count: number | bigint) => `${count} bytes`

/**
 * Reads the header of a safetensors file and checks it as the reference library does (indexing.md §1). The bytes of tensors
 * are not read. `quantization` is that of the repo's `config.json`, for the count of parameters.
 */
export function readSafetensors(file: FileBytes, quantization?: Quantization): SafetensorsFacts {
  return new Header(file, quantization).read()
}

class Header {
  readonly #file: FileBytes
  readonly #problems = new Problems()
  readonly #count: ParameterCount
  readonly #metadata = new Map<string, string>()
  /** Names with their place in what follows; a tensor that comes twice keeps its place, as in Rust's map. */
  readonly #places = new Map<string, number>()
  readonly #entries: { name: string; entry: Entry }[] = []
  #isTruncated = false
  #isLoadable = true
  #headerBytes = 0

  constructor(file: FileBytes, quantization: Quantization | undefined) {
    this.#file = file
    this.#count = new ParameterCount(quantization)
  }

  read(): SafetensorsFacts {
    try {
      this.#headerBytes = this.#length()
      this.#json()
      this.#check()
    } catch (error) {
      this.#refuse(...explain(error))
    }
    const tensors = this.#entries.slice(0, MAX_LISTED).map(listed)
    const { total, byDtype, mlxParts } = this.#count.sums()
    return {
      format: 'safetensors',
      headerBytes: this.#headerBytes,
      metadata: Object.fromEntries(this.#metadata),
      tensorCount: this.#entries.length,
      tensors,
      isTruncated: this.#isTruncated || tensors.length < this.#entries.length,
      parametersByDtype: byDtype,
      parameters: total,
      ...(mlxParts.length > 0 ? { mlxParts } : {}),
      problems: this.#problems.list(),
      isLoadable: this.#isLoadable,
    }
  }

  #refuse(code: string, message: string): void {
    this.#problems.add(code, message)
    this.#isLoadable = false
  }

  #length(): number {
    const { sizeBytes } = this.#file
    if (sizeBytes < 8)
      throw new FormatFault('st_too_small', `The file has ${plural(sizeBytes)}, at least 8 are needed.`)
    const length = new Cursor(this.#file).u64()
    if (length > BigInt(MAX_HEADER_BYTES))
      throw new FormatFault(
        'st_header_too_large',
        `The header announces ${plural(length)}; at most ${MAX_HEADER_BYTES} are allowed.`,
      )
    if (length > BigInt(sizeBytes - 8))
      throw new FormatFault(
        'st_header_out_of_file',
        `The header announces ${plural(length)}, the file has ${sizeBytes}.`,
      )
    if (length > BigInt(CLIENT_HEADER_BYTES))
      this.#problems.add(
        'st_header_over_client_limit',
        `The header has ${plural(length)}; huggingface_hub reads at most ${CLIENT_HEADER_BYTES}.`,
        'warning',
      )
    return Number(length)
  }

  #json(): void {
    const first = this.#file.read(8, 1)[0]
    if (
      this.#headerBytes === 0 ||
      (first !== 0x7b && first !== 0x20 && first !== 0x09 && first !== 0x0a && first !== 0x0d)
    )
      throw new FormatFault('st_header_no_brace', 'The header does not begin with {.')
    const json = new JsonReader(textOf(this.#file, 8, this.#headerBytes))
    let hasMetadata = false
    for (const key of json.members()) {
      if (key !== '__metadata__') this.#tensor(key, json)
      else if (hasMetadata) {
        this.#refuse('st_duplicate_key', 'The header has __metadata__ twice.')
        json.skip()
      } else {
        hasMetadata = true
        this.#readMetadata(json)
      }
    }
    json.end()
  }

  #readMetadata(json: JsonReader): void {
    if (json.kind() !== 'object') {
      const isNull = json.kind() === 'literal' && json.literal() === null
      if (json.kind() !== 'literal' && !isNull) json.skip()
      if (!isNull) this.#notStrings()
      return
    }
    for (const key of json.members()) {
      if (json.kind() !== 'string') {
        json.skip()
        this.#notStrings()
        continue
      }
      const text = json.string()
      if (this.#metadata.size < MAX_METADATA || this.#metadata.has(key))
        this.#metadata.set(key.slice(0, 1024), text.slice(0, MAX_METADATA_TEXT))
      else this.#isTruncated = true
    }
  }

  /** A warning: the hub and its clients read such files, the reference library does not. */
  #notStrings(): void {
    this.#problems.add('st_metadata_not_strings', '__metadata__ must be an object of strings.', 'warning')
    this.#isLoadable = false
  }

  #tensor(name: string, json: JsonReader): void {
    const entry = readEntry(json)
    if ('fault' in entry) return this.#refuse('st_bad_entry', `Tensor ${name} ${entry.fault}.`)
    const place = this.#places.get(name)
    if (place !== undefined) {
      this.#problems.add(
        'st_duplicate_key',
        `Tensor ${name} is there twice; readers differ on which one they take.`,
      )
      this.#entries[place] = { name, entry }
      return
    }
    if (this.#entries.length === MAX_TENSORS)
      throw new FormatFault('st_limit', `The header has more than ${MAX_TENSORS} tensors.`)
    this.#places.set(name, this.#entries.length)
    this.#entries.push({ name, entry })
  }

  #check(): void {
    const spans = []
    for (const { name, entry } of this.#entries) {
      const { begin, end, dtype, shape } = entry
      if (!dtypeBits.has(dtype)) {
        this.#problems.add('st_unknown_dtype', `Tensor ${name} has the unknown dtype ${dtype}.`, 'warning')
        this.#isLoadable = false
      }
      this.#count.add(name, dtype, shape)
      if (begin > end || end > BigInt(Number.MAX_SAFE_INTEGER)) {
        this.#refuse('st_bad_offsets', `Tensor ${name} has the offsets ${begin} and ${end}.`)
        continue
      }
      const fault = sizeFault(dtype, shape, Number(end - begin))
      if (fault !== undefined) this.#refuse('st_size_mismatch', `Tensor ${name} ${fault}.`)
      spans.push({ name, begin: Number(begin), end: Number(end) })
    }
    if (!checkLayout(spans, this.#file.sizeBytes - 8 - this.#headerBytes, this.#problems))
      this.#isLoadable = false
  }
}

function listed({ name, entry }: { name: string; entry: Entry }): SafetensorsTensor {
  const { dtype, shape, begin, end } = entry
  return { name, dtype, shape: shape.map(Number), begin: Number(begin), end: Number(end) }
}

function explain(error: unknown): [string, string] {
  if (error instanceof JsonFault) return ['st_header_not_json', `The header is no JSON: ${error.message}.`]
  if (error instanceof FormatFault) return [error.code, error.message]
  if (error instanceof TypeError && 'code' in error)
    return ['st_header_not_utf8', 'The header is no UTF-8 text.']
  throw error
}
