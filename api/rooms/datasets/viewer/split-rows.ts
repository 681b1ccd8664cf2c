import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { DatasetConfig, DatasetSplit } from '../facts.ts'
import type { RowText } from './cells/cut.ts'
import type { Viewed } from './open.ts'
import type { RowRange } from './parquet/room.ts'
import { openDataFile, readData } from './threads.ts'
import { ViewerFault } from './viewer-fault.ts'

export interface IndexedRow extends RowText {
  /** Position in the split. */
  index: number
}

const MAX_COLUMNS = 1000

/** The columns of a config that can be shown. */
export function columnsOf({ features }: DatasetConfig): NamedFeature[] {
  if (features.length > MAX_COLUMNS)
    throw new ViewerFault(
      'TooManyColumnsError',
      `The dataset has ${features.length} columns; the viewer shows ${MAX_COLUMNS} at most.`,
    )
  return features
}

/** Rows of a split by rising positions in it; those beyond its end are left out. */
export async function readSplitRows(
  ctx: Ctx,
  { repo }: Viewed,
  {
    config,
    split,
    ranges,
    cellBytes,
  }: { config: DatasetConfig; split: DatasetSplit; ranges: RowRange[]; cellBytes: number },
): Promise<IndexedRow[]> {
  const features = columnsOf(config)
  const found: IndexedRow[] = []
  let start = 0
  for (const { sha256, rows } of split.files) {
    const inFile = ranges
      .map((range) => ({ start: Math.max(range.start - start, 0), end: Math.min(range.end - start, rows) }))
      .filter((range) => range.start < range.end)
    if (inFile.length > 0) {
      const file = await openDataFile(ctx, repo.id, sha256)
      const limit = ctx.config.viewer.max_request_bytes
      const read = await readData(ctx, file, {
        work: 'rows',
        key: sha256,
        features,
        ranges: inFile,
        limit,
        cellBytes,
      })
      const positions = inFile.flatMap((range) => positionsIn(range).map((position) => position + start))
      read.rows?.rows.forEach((row, i) => found.push({ ...row, index: positions[i] ?? 0 }))
    }
    start += rows
  }
  return found
}

const positionsIn = ({ start, end }: RowRange) => Array.from({ length: end - start }, (_, i) => start + i)

/** Rising positions as ranges. */
export function rangesOf(positions: readonly number[]): RowRange[] {
  const ranges: RowRange[] = []
  for (const position of positions) {
    const last = ranges.at(-1)
    if (last?.end === position) last.end++
    else ranges.push({ start: position, end: position + 1 })
  }
  return ranges
}
