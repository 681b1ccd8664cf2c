import type { FeatureType, NamedFeature } from '../../../../../shared/viewer.ts'
import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { parquetColumns as columnsOf } from '../../features/parquet.ts'
import { CellText, type Piece } from '../cells/out.ts'
import { cutCell, plainText, type RowText } from '../cells/cut.ts'
import { holdsMedia } from '../cells/holds-media.ts'
import { cellWriter } from '../cells/writer.ts'
import { openParquet, type ParquetFile } from './footer.ts'
import { readParquetRows } from './read-rows.ts'
import type { RowRange } from './room.ts'

export interface RowsWanted {
  /** Names the file's content. */
  key: string
  /** The file's own columns unless given. */
  features?: NamedFeature[]
  ranges: RowRange[]
  /** Most bytes of decoded data. */
  limit: number
  /** Longer cells are cut, but for media. */
  cellBytes: number
}

export interface RowsFound {
  features: NamedFeature[]
  rows: RowText[]
  /** Rows of the whole file. */
  total: number
}

/** Rows of a Parquet file as JSON. */
export async function parquetPage(wanted: RowsWanted, file: RemoteFile): Promise<RowsFound> {
  const opened = await openParquet(file, wanted.key)
  const features = wanted.features ?? columnsOf(opened.declared).features
  const columns = features.map(({ name }) => name)
  const stored = await readParquetRows(file, opened, { columns, ranges: wanted.ranges, limit: wanted.limit })
  const write = rowWriter(opened, features, wanted.cellBytes)
  return { features, rows: stored.map(write), total: opened.rows }
}

function rowWriter({ schema }: ParquetFile, features: NamedFeature[], cellBytes: number) {
  const writers = features.map(({ name, type }) => {
    const node = schema.children.find(({ element }) => element.name === name)
    return { name, write: node && cellWriter(node, type), isMedia: holdsMedia(type) }
  })
  return (stored: Map<string, unknown>): RowText => {
    const cut: number[] = []
    const cells = writers.map(({ name, write, isMedia }, i): Piece[] => {
      const out = new CellText()
      if (write) write(stored.get(name), out, [name])
      else out.add('null')
      const cell = out.end()
      const text = isMedia ? undefined : plainText(cell)
      if (text === undefined || Buffer.byteLength(text) <= cellBytes) return cell
      cut.push(i)
      return [cutCell(text, cellBytes)]
    })
    return { cells, cut }
  }
}

/** The value of one cell as it is stored; `undefined` where the row has none there. */
export async function parquetCell(
  { key, row, at, limit }: { key: string; row: number; at: (string | number)[]; limit: number },
  file: RemoteFile,
): Promise<unknown> {
  const opened = await openParquet(file, key)
  const [column, ...inner] = at
  const columns = typeof column === 'string' ? [column] : []
  const [stored] = await readParquetRows(file, opened, {
    columns,
    ranges: [{ start: row, end: row + 1 }],
    limit,
  })
  let found = stored?.get(columns[0] ?? '')
  for (const step of inner) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string | number, unknown>)[step]
  }
  return found
}

/** A column as a Parquet file stores it. */
export interface StoredColumn {
  name: string
  /** Absent where the library cannot read it. */
  type?: FeatureType
}

/** The columns of a Parquet file, in its order. */
export async function storedColumns({ key }: { key: string }, file: RemoteFile): Promise<StoredColumn[]> {
  const { declared } = await openParquet(file, key)
  const { features, unreadable } = columnsOf(declared)
  return features.map((feature) => (unreadable.includes(feature.name) ? { name: feature.name } : feature))
}
