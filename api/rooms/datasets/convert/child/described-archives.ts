import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { FeatureType, NamedFeature } from '../../../../../shared/viewer.ts'
import { isFolderMetadata } from '../../configs/builders.ts'
import { isKind, isMedia } from '../../features/feature.ts'
import { duckValue } from './duck-values.ts'
import { metadataSource, placeOf, type MediaTable } from './folder-source.ts'
import { readFooter } from './footers.ts'
import type { FolderMedia, LocalFile, MadeTable, Report, Setup, TableTask } from './messages.ts'
import { ParquetRows } from './parquet-writer.ts'
import { notReadable } from './task-fault.ts'
import { memberBytes, type ZipMember } from './zip-members.ts'

export interface Archive {
  file: LocalFile
  members: ZipMember[]
}

interface Described {
  setup: Setup
  task: TableTask
  media: FolderMedia
  /** Metadata files beside the archives. */
  tables: readonly LocalFile[]
  archives: readonly Archive[]
  report: (report: Report) => void
}

/** In cells of the query: the number of an archive and a path in it follow. Names in tables cannot hold `://`. */
const IN_ARCHIVE = 'zip://'
const MAX_ROW_BYTES = 256 * 1024 * 1024
const PROGRESS_ROWS = 100

/**
 * Media that metadata files name, some of which lie in zip files: a row for each row of those files. What a table within
 * an archive names becomes a cell with its bytes; cells of tables beside the archives name files of the repo.
 */
export async function convertDescribedArchives(
  duck: DuckDBConnection,
  { setup, task, media, tables, archives, report }: Described,
): Promise<MadeTable> {
  const sizes = await Promise.all(tables.map(async ({ path }) => (await stat(path)).size))
  const plain = tables.map((file, i) => ({
    ...file,
    sizeBytes: sizes[i] ?? 0,
    ...placeOf(file.name, media.root),
  }))
  const packed = await tablesIn(archives, task.folder)
  const source = await metadataSource(duck, task, media, [...plain, ...packed])
  const { sql, features, isExact, warnings } = source
  // Splits that have no such table change what the library makes of those that have: it decides by their order.
  report({
    type: 'preview',
    preview: { features, isExact: isExact && task.features === undefined, warnings },
  })
  const rows = new ParquetRows(task.folder, features, setup.maxGroupRows)
  const cells = new Cells(archives, task.maxBytes - packed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  const packedBytes = archives.flatMap(({ members }) => members).reduce((sum, m) => sum + m.packedBytes, 0)
  let [count, isPartial] = [0, false]
  for await (const chunk of (await duck.stream(sql)).yieldRows()) {
    for (const row of chunk) {
      isPartial = cells.left <= 0
      if (isPartial) break
      const { values, sizeBytes } = await cells.ofRow(row, features)
      await rows.add(values, sizeBytes)
      if (++count % PROGRESS_ROWS === 0)
        report({ type: 'progress', done: Math.min(1, cells.readBytes / Math.max(1, packedBytes)) })
    }
    if (isPartial) break
  }
  const files = []
  for (const path of await rows.end()) files.push({ path, ...(await readFooter(path)) })
  return { files, isPartial, readBytes: Math.min(cells.readBytes, packedBytes) }
}

/** Puts the bytes of members into cells that name them, while there is room. */
class Cells {
  /** Bytes that may still be unpacked. */
  left: number
  /** Packed bytes of the members that were read. */
  readBytes = 0
  readonly #members: Map<string, ZipMember>[]

  constructor(archives: readonly Archive[], left: number) {
    this.#members = archives.map(({ members }) => new Map(members.map((member) => [member.path, member])))
    this.left = left
  }

  /** A row of the query as the writer takes it. One row is in memory as a whole. */
  async ofRow(
    row: readonly DuckDBValue[],
    features: readonly NamedFeature[],
  ): Promise<{ values: unknown[]; sizeBytes: number }> {
    const [values, before] = [[] as unknown[], this.left]
    const leastLeft = before - MAX_ROW_BYTES
    const fill = async (cell: unknown, type: FeatureType): Promise<unknown> => {
      if (Array.isArray(cell) && isKind(type, 'List', 'LargeList')) {
        const items = []
        for (const one of cell) items.push(await fill(one, type.feature))
        return items
      }
      return isMedia(type) ? this.#withBytes(cell as { path: string } | null, leastLeft) : cell
    }
    for (const [i, { type }] of features.entries())
      values.push(await fill(duckValue(row[i] ?? null, type), type))
    return { values, sizeBytes: Math.max(1, before - this.left) }
  }

  async #withBytes(cell: { path: string } | null, leastLeft: number): Promise<unknown> {
    if (!cell?.path.startsWith(IN_ARCHIVE)) return cell
    const [index, ...parts] = cell.path.slice(IN_ARCHIVE.length).split('/')
    const path = parts.join('/')
    const member = this.#members[Number(index)]?.get(path)
    if (!member) return { bytes: null, path }
    const bytes = await memberBytes(member)
    this.left -= bytes.length
    if (this.left < leastLeft)
      throw notReadable(
        `A row of the metadata names files of more than ${MAX_ROW_BYTES / 1024 ** 2} MiB, which is the limit of a row.`,
      )
    this.readBytes += member.packedBytes
    return { bytes, path }
  }
}

/** The metadata files in archives, as files of this machine. */
async function tablesIn(archives: readonly Archive[], folder: string): Promise<MediaTable[]> {
  const tables: MediaTable[] = []
  for (const [i, { members }] of archives.entries())
    for (const member of members.filter(({ path }) => isFolderMetadata(path))) {
      const bytes = await memberBytes(member)
      const path = join(folder, `table-${tables.length}`)
      await writeFile(path, bytes)
      const place = placeOf(member.path, `${IN_ARCHIVE}${i}/`)
      tables.push({ name: member.name, path, sizeBytes: bytes.length, ...place })
    }
  return tables
}
