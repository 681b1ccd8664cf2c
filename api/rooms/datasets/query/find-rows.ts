import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { DatasetConfig, DatasetSplit } from '../facts.ts'
import type { Viewed } from '../viewer/open.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import type { Counted, Query, ScanOrder, ScanState } from './engine/messages.ts'
import { QueryFailure, QueryProcesses, type QueryEnd } from './engine/processes.ts'
import { requireQueried, type Narrowed } from './narrowed.ts'
import { splitFiles } from './split-files.ts'
import { kindOf } from './where/columns.ts'

const queries = new QueryProcesses()

const KEEP_MS = 5 * 60_000
const MAX_KEPT = 200

/** What a filter has found so far. */
interface Kept {
  until: number
  /** Windows with their matches, so that another page need not look at them again. */
  counts: Counted[]
  pages: Map<string, ScanState>
}

const kept = new Map<string, Kept>()

function keptFor(key: string, now: number): Kept {
  const known = kept.get(key)
  if (known && known.until > now) return known
  const fresh: Kept = { until: now + KEEP_MS, counts: [], pages: new Map() }
  kept.delete(key)
  kept.set(key, fresh)
  for (const [oldest, { until }] of kept) if (kept.size > MAX_KEPT || until <= now) kept.delete(oldest)
  return fresh
}

export interface RowQuery extends Narrowed {
  config: DatasetConfig
  split: DatasetSplit
  features: readonly NamedFeature[]
  offset: number
  length: number
}

/** The rows of a page, the matches that were found, and how far the scan came. */
export async function findRows(ctx: Ctx, { repo, revision }: Viewed, query: RowQuery): Promise<ScanState> {
  const { config, split, features, where, orderBy, offset, length } = query
  const { max_scan_rows: maxRows, max_scan_seconds: deadlineMs } = ctx.config.viewer
  const names = [repo.id, revision, config.name, split.name]
  const known = keptFor(JSON.stringify([...names, where, orderBy, maxRows]), ctx.now().getTime())
  const page = `${offset} ${length}`
  const done = known.pages.get(page)
  if (done) return done
  const { files, others } = await splitFiles(ctx, repo.id, split, features)
  requireQueried(query, { others })
  const found = await runQuery(ctx, {
    work: 'scan',
    files,
    ...(where ? { where } : {}),
    ...(orderBy ? { orderBy } : {}),
    offset,
    length,
    maxRows,
    known: known.counts,
    ...(others.size === 0 ? plainColumns(features, ctx.config.viewer.max_cell_bytes) : {}),
    deadlineMs,
  })
  const state = found.state ?? { page: { found: [] }, matches: 0, rows: 0, isComplete: false, counts: [] }
  if (state.counts.length > known.counts.length) known.counts = state.counts
  // Cells are not kept: those of a page may take megabytes.
  if (!found.isLate && known.pages.size < 100)
    known.pages.set(page, { ...state, page: { found: state.page.found } })
  const total = split.rows ?? 0
  return { ...state, isComplete: state.isComplete && state.rows >= total }
}

const plainKinds = new Set(['integer', 'float', 'float32', 'text', 'boolean', 'label'])

function plainColumns(features: readonly NamedFeature[], maxBytes: number): Pick<ScanOrder, 'plain'> {
  const kinds = features.map(({ type }) => kindOf(type).of)
  if (!kinds.every((kind) => plainKinds.has(kind))) return {}
  return {
    plain: { columns: kinds.map((kind, i) => ({ place: `c${i}`, isText: kind === 'text' })), maxBytes },
  }
}

/** As `QueryProcesses.run`; a failure of the engine is one of the viewer. */
async function runQuery(ctx: Ctx, query: Query): Promise<QueryEnd> {
  try {
    return await queries.run(ctx.config.server.data_dir, query, ctx.signal)
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    ctx.log.warn({ err: error }, 'a query of the viewer failed')
    const [reason = ''] = error.shown.split('\n')
    throw new ViewerFault('UnexpectedApiError', `The query could not be run: ${reason}`, { cause: error })
  }
}
