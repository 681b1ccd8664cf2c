import type { NamedFeature } from '../../../../../shared/viewer.ts'
import type { Ctx } from '../../../../core/ctx.ts'
import type { DatasetConfig, DatasetSplit } from '../../facts.ts'
import { findAnswer, keepAnswer } from '../../viewer/answers.ts'
import type { Viewed } from '../../viewer/open.ts'
import { ViewerFault } from '../../viewer/viewer-fault.ts'
import type { SelectRow } from '../engine/messages.ts'
import { QueryFailure, QueryProcesses } from '../engine/processes.ts'
import { splitFiles, type SplitFiles } from '../split-files.ts'
import { planColumn } from './columns.ts'
import { isMeasured, mediaStatistics } from './media.ts'

/** Statistics of a split take their time; they leave the processes of filters alone. */
const processes = new QueryProcesses({ atOnce: 1, maxWaiting: 100 })
const DEADLINE_MS = 10 * 60_000
const PATIENCE_MS = 5000

const underWay = new Map<string, Promise<string>>()

/** JSON with all digits of long integers. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonOf(member)}`)
    .join(',')}}`
}

/**
 * Statistics of a split as JSON text: made at the first request, and kept. `ResponseNotReady` while they are made,
 * `ComputationError` where they cannot be.
 */
export async function statisticsOf(
  ctx: Ctx,
  viewed: Viewed,
  config: DatasetConfig,
  split: DatasetSplit,
): Promise<string> {
  const place = placeOf(viewed, config, split)
  const known = await findAnswer(ctx.db, place)
  if (known?.commit === viewed.revision) return known.json
  const key = JSON.stringify([place, viewed.revision])
  const work = underWay.get(key) ?? begin(ctx, viewed, config, split, key)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  const made = await Promise.race([work, late]).finally(() => clearTimeout(timer))
  if (made === undefined)
    throw new ViewerFault(
      'ResponseNotReady',
      'The statistics of this split are being made. Try again in a moment.',
    )
  return made
}

function begin(
  ctx: Ctx,
  viewed: Viewed,
  config: DatasetConfig,
  split: DatasetSplit,
  key: string,
): Promise<string> {
  // Others wait for them as well, so they are made to their end although who asked first leaves.
  const work = make({ ...ctx, signal: ctx.stopping }, viewed, config, split).finally(() =>
    underWay.delete(key),
  )
  underWay.set(key, work)
  work.catch((error: unknown) => ctx.log.warn({ err: error }, 'statistics of a split could not be made'))
  return work
}

async function make(ctx: Ctx, viewed: Viewed, config: DatasetConfig, split: DatasetSplit): Promise<string> {
  const { files, others } = await splitFiles(ctx, viewed.repo.id, split, config.features)
  const plans = config.features.flatMap((feature, i) => {
    const plan = others.has(`c${i}`) ? undefined : planColumn(feature, i)
    return plan ? [plan] : []
  })
  const maxRows = ctx.config.viewer.max_scan_rows
  const select = async (lists: string[][]): Promise<SelectRow[][][]> => {
    const rows = await runSelects(ctx, files, maxRows, lists.flat())
    let at = 0
    return lists.map(({ length }) => rows.slice(at, (at += length)))
  }
  const first = await select(plans.map((plan) => plan.first))
  const seconds = plans.map((plan, i) => plan.next(first[i] ?? []))
  const next = await select(seconds.map(({ selects }) => selects))
  const media = await mediaStatistics(ctx, viewed.repo.id, split, config.features)
  const columns = [...seconds.map(({ finish }, i) => finish(next[i] ?? [])), ...media.columns]
  const scanned = Math.min(
    maxRows,
    files.reduce((sum, { rows }) => sum + rows, 0),
  )
  const json = jsonOf({
    num_examples: scanned,
    statistics: columns.toSorted((a, b) => (a.column_name < b.column_name ? -1 : 1)),
    partial: split.is_partial || media.isPartial || scanned < (split.rows ?? 0),
  })
  const place = placeOf(viewed, config, split)
  await keepAnswer(ctx.db, place, { commit: viewed.revision, json })
  return json
}

async function runSelects(
  ctx: Ctx,
  files: SplitFiles['files'],
  maxRows: number,
  selects: string[],
): Promise<SelectRow[][]> {
  if (selects.length === 0) return []
  const query = { work: 'select', files, maxRows, selects, deadlineMs: DEADLINE_MS } as const
  try {
    const { rows, isLate } = await processes.run(ctx.config.server.data_dir, query, ctx.signal)
    if (isLate || !rows)
      throw new ViewerFault('ComputationError', 'The statistics took longer than ten minutes.')
    return rows
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    const [reason = ''] = error.shown.split('\n')
    throw new ViewerFault('ComputationError', `The statistics could not be made: ${reason}`, { cause: error })
  }
}

/** Whether a column has statistics. */
export const hasStatistics = (feature: NamedFeature): boolean =>
  isMeasured(feature) || planColumn(feature, 0) !== undefined

const placeOf = ({ repo }: Viewed, config: DatasetConfig, split: DatasetSplit) =>
  ({ repo_id: repo.id, config: config.name, split: split.name, kind: 'statistics' }) as const
