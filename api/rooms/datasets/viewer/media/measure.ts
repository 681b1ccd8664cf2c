import { imageSize } from 'image-size'
import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { storedMedia } from '../cells/media.ts'
import { openParquet } from '../parquet/footer.ts'
import { readParquetRows } from '../parquet/read-rows.ts'
import { soundSeconds } from './sound-seconds.ts'

export interface MeasureOrder {
  key: string
  column: string
  kind: 'Image' | 'Audio'
  /** Which row group is read. */
  group: number
  limit: number
}

/** The width of each image, or the seconds of each sound, in a row group. */
export interface Measured {
  /** Null of what is null, damaged or of no known kind. */
  values: (number | null)[]
  /** Whether all that is there lies outside of the file. */
  hasOutside: boolean
  /** Whether more row groups follow. */
  hasMore: boolean
}

const HEAD_BYTES = 65_536

export async function measureMedia(order: MeasureOrder, file: RemoteFile): Promise<Measured> {
  const { key, column, kind, group, limit } = order
  const opened = await openParquet(file, key)
  const groups = opened.metadata.row_groups.map(({ num_rows: rows }) => Number(rows))
  const start = groups.slice(0, group).reduce((a, b) => a + b, 0)
  const ranges = [{ start, end: start + (groups[group] ?? 0) }]
  const rows = await readParquetRows(file, opened, { columns: [column], ranges, limit })
  const cells = rows.map((row) => storedMedia(row.get(column)))
  return {
    values: cells.map(({ bytes }) => (bytes ? measure(kind, bytes) : null)),
    hasOutside: cells.some(({ bytes, path }) => !bytes && path !== undefined),
    hasMore: group + 1 < groups.length,
  }
}

function measure(kind: MeasureOrder['kind'], bytes: Uint8Array): number | null {
  if (kind === 'Audio') return soundSeconds(bytes) ?? null
  try {
    return imageSize(bytes.subarray(0, HEAD_BYTES)).width
  } catch {
    return null
  }
}
