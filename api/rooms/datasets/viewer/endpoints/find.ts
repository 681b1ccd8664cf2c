import type { Ctx } from '../../../../core/ctx.ts'
import type { FoundPage } from '../../query/engine/messages.ts'
import { findRows, type RowQuery } from '../../query/find-rows.ts'
import { searchCondition } from '../../query/search.ts'
import { hasStatistics, statisticsOf } from '../../query/statistics/make.ts'
import { narrowedBy } from '../../query/narrowed.ts'
import { mediaText } from '../assets/address.ts'
import type { Viewed } from '../open.ts'
import { pageText } from '../page-text.ts'
import { optional, pageOf, required, type Params } from '../params.ts'
import { columnsOf, rangesOf, readSplitRows, type IndexedRow } from '../split-rows.ts'
import { ViewerFault } from '../viewer-fault.ts'
import { requireExported } from './rows.ts'

/** The engine keeps so many rows while it sorts. */
const MAX_SORTED = 10_000

/** `/filter`: rows by `where`, in the order of `orderby`. */
export async function filterRows(ctx: Ctx, viewed: Viewed, params: Params): Promise<string> {
  const { config, split } = requireExported(viewed, params)
  const features = columnsOf(config)
  const page = pageOf(params)
  const narrowed = narrowedBy(
    { where: optional(params, 'where'), orderby: optional(params, 'orderby') },
    features,
  )
  const query: RowQuery = { config, split, features, ...narrowed, ...page }
  if (query.orderBy) {
    if (page.offset + page.length > MAX_SORTED)
      throw new ViewerFault(
        'InvalidParameter',
        `Sorted rows are shown up to the ${MAX_SORTED}th. Filter them, or ask for an earlier page.`,
      )
  }
  return answerQuery(ctx, viewed, query)
}

/** `/search`: rows that have a text in any column, in the order of the split. */
export async function searchRows(ctx: Ctx, viewed: Viewed, params: Params): Promise<string> {
  const text = required(params, 'query')
  const { config, split } = requireExported(viewed, params)
  const features = columnsOf(config)
  const where = searchCondition(text, features)
  return answerQuery(ctx, viewed, { config, split, features, where, ...pageOf(params) })
}

/** `/statistics`: of the columns of a split. */
export async function describeStatistics(ctx: Ctx, viewed: Viewed, params: Params): Promise<string> {
  const { config, split } = requireExported(viewed, params)
  if (!config.features.some(hasStatistics))
    throw new ViewerFault(
      'NoSupportedFeaturesError',
      'No column of this dataset has a type that statistics are made of.',
    )
  return statisticsOf(ctx, viewed, config, split)
}

async function answerQuery(ctx: Ctx, viewed: Viewed, query: RowQuery): Promise<string> {
  const { config, split } = query
  const { page, matches, rows: scanned, isComplete } = await findRows(ctx, viewed, query)
  const media = mediaText(ctx, { viewed, config: config.name, split: split.name })
  return pageText(columnsOf(config), await rowsOf(ctx, viewed, query, page), media, {
    total: matches,
    partial: split.is_partial || !isComplete,
    scan: { rows: scanned, complete: isComplete },
  })
}

async function rowsOf(
  ctx: Ctx,
  viewed: Viewed,
  { config, split }: RowQuery,
  { found, cells }: FoundPage,
): Promise<IndexedRow[]> {
  if (cells)
    return found.map((index, i) => ({ index, cells: (cells[i] ?? []).map((cell) => [cell]), cut: [] }))
  const ranges = rangesOf(found.toSorted((a, b) => a - b))
  const cellBytes = ctx.config.viewer.max_cell_bytes
  const read = await readSplitRows(ctx, viewed, { config, split, ranges, cellBytes })
  const byIndex = new Map(read.map((row) => [row.index, row]))
  return found.map((index) => byIndex.get(index)).filter((row): row is IndexedRow => row !== undefined)
}
