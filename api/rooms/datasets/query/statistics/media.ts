import type { NamedFeature } from '../../../../../shared/viewer.ts'
import type { Ctx } from '../../../../core/ctx.ts'
import type { DatasetSplit } from '../../facts.ts'
import { isKind } from '../../features/feature.ts'
import { DataFault } from '../../viewer/fault.ts'
import { openDataFile, readData } from '../../viewer/threads.ts'
import type { ColumnResult } from './columns.ts'
import { rounded } from './numbers.ts'

/** Media are read whole to be measured, so fewer rows are than of other columns. */
const MAX_ROWS = 100_000
const MAX_MS = 120_000
const BINS = 10

export const isMeasured = ({ type }: NamedFeature): boolean => isKind(type, 'Image', 'Audio')

export interface MediaStatistics {
  columns: ColumnResult[]
  /** Whether rows were left out. */
  isPartial: boolean
}

/** Statistics of the images by their width and of the sounds by their seconds, where the export holds their bytes. */
export async function mediaStatistics(
  ctx: Ctx,
  repoId: string,
  split: DatasetSplit,
  features: readonly NamedFeature[],
): Promise<MediaStatistics> {
  const endsAt = performance.now() + MAX_MS
  const columns: ColumnResult[] = []
  let isPartial = false
  for (const { name, type } of features) {
    const kind = isKind(type, 'Image') ? 'Image' : isKind(type, 'Audio') ? 'Audio' : undefined
    if (!kind) continue
    const found = await valuesOf(ctx, repoId, split, { column: name, kind, endsAt })
    if (!found) continue
    isPartial ||= found.isPartial
    columns.push({
      column_name: name,
      column_type: kind.toLowerCase(),
      column_statistics: spreadOf(found.values, kind === 'Image'),
    })
  }
  return { columns, isPartial }
}

interface Wanted {
  column: string
  kind: 'Image' | 'Audio'
  endsAt: number
}

async function valuesOf(ctx: Ctx, repoId: string, split: DatasetSplit, { column, kind, endsAt }: Wanted) {
  const values: (number | null)[] = []
  const limit = ctx.config.viewer.max_request_bytes
  const most = Math.min(MAX_ROWS, ctx.config.viewer.max_scan_rows)
  try {
    for (const { sha256 } of split.files) {
      const file = await openDataFile(ctx, repoId, sha256)
      for (let [group, hasMore] = [0, true]; hasMore; group++) {
        if (values.length >= most || performance.now() > endsAt)
          return { values: values.slice(0, most), isPartial: true }
        const { measured } = await readData(ctx, file, {
          work: 'measure',
          key: sha256,
          column,
          kind,
          group,
          limit,
        })
        // Files that cells only name are in the repo, and not in the export.
        if (!measured || measured.hasOutside) return undefined
        values.push(...measured.values)
        ;({ hasMore } = measured)
      }
    }
  } catch (error) {
    // Groups above `viewer.max_request_bytes`, or of another make: the other columns have their statistics.
    if (!(error instanceof DataFault)) throw error
    ctx.log.info({ err: error }, 'media could not be measured')
    return undefined
  }
  return { values: values.slice(0, most), isPartial: values.length > most }
}

/** Numbers as those of other columns: docs/protocols/dataset-viewer.md §5. */
function spreadOf(values: readonly (number | null)[], isInteger: boolean): Record<string, unknown> {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const missing = values.length - sorted.length
  const nan = {
    nan_count: missing,
    nan_proportion: values.length === 0 ? 0 : rounded(missing / values.length),
  }
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined)
    return { ...nan, min: null, max: null, mean: null, median: null, std: null, histogram: null }
  const mean = sorted.reduce((a, b) => a + b, 0) / sorted.length
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const middle = (sorted.length - 1) / 2
  return {
    ...nan,
    min: rounded(low),
    max: rounded(high),
    mean: rounded(mean),
    median: rounded(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2),
    std: sorted.length === 1 ? 0 : rounded(Math.sqrt(squares / (sorted.length - 1))),
    histogram: histogramOf(sorted, low, high, isInteger),
  }
}

function histogramOf(values: readonly number[], low: number, high: number, isInteger: boolean) {
  if (low === high) return { hist: [values.length], bin_edges: [rounded(low), rounded(high)] }
  const width = isInteger ? Math.ceil((high - low + 1) / BINS) : (high - low) / BINS
  const bins = isInteger ? Math.ceil((high - low) / width) : BINS
  const edges = Array.from({ length: bins }, (_, i) => low + i * width)
  const hist = Array.from({ length: bins }, () => 0)
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / width))
    hist[bin] = (hist[bin] ?? 0) + 1
  }
  return { hist, bin_edges: [...edges, high].map(rounded) }
}
