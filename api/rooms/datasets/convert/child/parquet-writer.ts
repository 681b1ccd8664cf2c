import { join } from 'node:path'
import type { SchemaElement } from 'hyparquet'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { FeatureType, NamedFeature } from '../../../../../shared/viewer.ts'
import { huggingfaceKey, isKind, isStruct, storageOf } from '../../features/feature.ts'

const GROUP_ROWS = 100
const GROUP_BYTES = 32 * 1024 * 1024
const SHARD_BYTES = 500_000_000

const leaves: Record<string, Omit<SchemaElement, 'name'>> = {
  null: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  binary: { type: 'BYTE_ARRAY' },
  bool: { type: 'BOOLEAN' },
  int64: { type: 'INT64' },
  float64: { type: 'DOUBLE' },
}

/** A column in the words of a Parquet schema: the element and all below it. */
function elementsOf(name: string, type: FeatureType): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' as const }
  if (isKind(type, 'Json')) return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'JSON' }]
  const stored = storageOf(type)
  if (isStruct(stored)) {
    const fields = Object.entries(stored)
    const below = fields.flatMap(([field, inner]) => elementsOf(field, inner))
    return [{ ...optional, num_children: fields.length }, ...below]
  }
  if (isKind(stored, 'List', 'LargeList', 'Sequence'))
    return [
      { ...optional, converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elementsOf('element', stored.feature),
    ]
  const leaf = isKind(stored, 'Value') ? leaves[stored.dtype] : undefined
  if (!leaf) throw new Error(`a column of ${JSON.stringify(stored)} cannot be written`)
  return [{ ...optional, ...leaf }]
}

/** Writes rows with large cells into Parquet files, in small groups, so that a page reads little. */
export class MediaWriter {
  readonly #folder: string
  readonly #features: readonly NamedFeature[]
  readonly #maxRows: number
  readonly #paths: string[] = []
  #writer: ParquetWriter | undefined
  #rows: unknown[][] = []
  #groupBytes = 0
  #fileBytes = 0

  constructor(folder: string, features: readonly NamedFeature[], maxRows: number) {
    this.#folder = folder
    this.#features = features
    this.#maxRows = Math.min(GROUP_ROWS, maxRows)
  }

  /** Adds a row, whose cells take so many bytes. */
  async add(cells: unknown[], sizeBytes: number): Promise<void> {
    this.#rows.push(cells)
    this.#groupBytes += sizeBytes
    if (this.#rows.length >= this.#maxRows || this.#groupBytes >= GROUP_BYTES) await this.#endGroup()
  }

  /** Paths of the files in the order of their rows. */
  async end(): Promise<string[]> {
    if (this.#rows.length > 0 || this.#paths.length === 0) await this.#endGroup()
    await this.#writer?.finish()
    return this.#paths
  }

  async #endGroup(): Promise<void> {
    const rows = this.#rows.splice(0)
    this.#writer ??= this.#begin()
    await this.#writer.write({
      columnData: this.#features.map(({ name }, i) => ({ name, data: rows.map((row) => row[i]) })),
      rowGroupSize: Math.max(1, rows.length),
    })
    this.#fileBytes += this.#groupBytes
    this.#groupBytes = 0
    if (this.#fileBytes < SHARD_BYTES) return
    await this.#writer.finish()
    this.#writer = undefined
    this.#fileBytes = 0
  }

  #begin(): ParquetWriter {
    const path = join(this.#folder, `out-${this.#paths.length}.parquet`)
    this.#paths.push(path)
    const columns = this.#features.flatMap(({ name, type }) => elementsOf(name, type))
    return new ParquetWriter({
      writer: fileWriter(path),
      schema: [{ name: 'root', num_children: this.#features.length }, ...columns],
      codec: 'SNAPPY',
      // Bounds of images say nothing, and take place in every footer.
      statistics: false,
      kvMetadata: [{ key: 'huggingface', value: huggingfaceKey(this.#features) }],
    })
  }
}
