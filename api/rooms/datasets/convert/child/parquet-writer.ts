import { join } from 'node:path'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { NamedFeature } from '../../../../../shared/viewer.ts'
import { huggingfaceKey, isMedia, typesIn } from '../../features/feature.ts'
import { elementsOf } from './parquet-schema.ts'

/** Media are large, and a page of rows reads a whole group. */
const mediaGroup = { rows: 100, bytes: 32 * 1024 * 1024 }
const plainGroup = { rows: 10_240, bytes: 4 * 1024 * 1024 }
const SHARD_BYTES = 500_000_000

/** Writes rows into Parquet files without DuckDB, in small groups, so that a page reads little. */
export class ParquetRows {
  readonly #folder: string
  readonly #features: readonly NamedFeature[]
  readonly #group: { rows: number; bytes: number }
  readonly #paths: string[] = []
  #writer: ParquetWriter | undefined
  #rows: unknown[][] = []
  #groupBytes = 0
  #fileBytes = 0

  constructor(folder: string, features: readonly NamedFeature[], maxRows: number) {
    this.#folder = folder
    this.#features = features
    const hasMedia = features.some(({ type }) => [...typesIn(type)].some(isMedia))
    const { rows, bytes } = hasMedia ? mediaGroup : plainGroup
    this.#group = { rows: Math.min(rows, maxRows), bytes }
  }

  /** Adds a row, whose cells take so many bytes. */
  async add(cells: unknown[], sizeBytes: number): Promise<void> {
    this.#rows.push(cells)
    this.#groupBytes += sizeBytes
    if (this.#rows.length >= this.#group.rows || this.#groupBytes >= this.#group.bytes) await this.#endGroup()
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
