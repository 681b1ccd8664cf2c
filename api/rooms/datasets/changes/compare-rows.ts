import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { isMedia, typesIn, isKind } from '../features/feature.ts'
import type { MadeSplit } from '../convert/made.ts'
import { QueryFailure, type QueryProcesses } from '../query/engine/processes.ts'
import type { DifferingSplit } from './differing.ts'
import type { SplitChanges } from './changes.ts'
import type { Side } from './side.ts'

const MAX_SAMPLES = 10

export interface Sides {
  base: Side | undefined
  head: Side | undefined
}

export interface Comparing {
  processes: QueryProcesses
  deadlineMs: number
  key: string[]
}

/** Compares the rows of a split where the limits of the viewer allow it, and else counts them. */
export async function compareSplit(
  ctx: Ctx,
  split: DifferingSplit,
  sides: Sides,
  how: Comparing,
): Promise<SplitChanges> {
  const found = (side: Side | undefined) => side?.made.splits.find(({ name }) => name === split.name)
  const [base, head] = [found(sides.base), found(sides.head)]
  const summary: SplitChanges = {
    name: split.name,
    status: split.status,
    files: { base: split.base.length, head: split.head.length },
    samples: [],
  }
  const problem = base?.problem ?? head?.problem
  if (problem) return { ...summary, problem }
  summary.rows = { base: base?.rows ?? 0, head: head?.rows ?? 0 }
  const bounds = ctx.config.viewer
  if (base?.isPartial === true || head?.isPartial === true) return { ...summary, note: 'partial' }
  const bytes = [base, head].map((side) => sum(side?.files.map(({ sizeBytes }) => sizeBytes) ?? []))
  if (Math.max(summary.rows.base, summary.rows.head) > bounds.max_scan_rows)
    return { ...summary, note: 'too_many_rows' }
  if (Math.max(...bytes) > bounds.max_convert_bytes) return { ...summary, note: 'partial' }
  const columns = commonColumns(sides)
  if (columns.length === 0) return { ...summary, note: 'no_common_column' }
  const key = how.key.map((name) => columns.findIndex((column) => column.name === name))
  const hasKey = how.key.length > 0
  const isKnown = hasKey && !key.includes(-1)
  const compared = await run(ctx, how, {
    work: 'compare',
    base: await pathsOf(sides.base, base),
    head: await pathsOf(sides.head, head),
    columns,
    key: isKnown ? key : [],
    maxSamples: MAX_SAMPLES,
    deadlineMs: how.deadlineMs,
  })
  if ('problem' in compared) return { ...summary, problem: compared.problem }
  const { by, added, removed, changed, samples } = compared
  return {
    ...summary,
    compared_by: by,
    added,
    removed,
    ...(changed === undefined ? {} : { changed }),
    ...(hasKey && by === 'row' ? { note: isKnown ? 'key_not_unique' : 'key_missing' } : {}),
    samples,
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

const pathsOf = async (side: Side | undefined, split: MadeSplit | undefined) =>
  side && split ? side.pathsOf(split) : []

/** Columns that both sides have; of a side that is not there all. */
function commonColumns({ base, head }: Sides): { name: string; isShown: boolean }[] {
  const [old, now] = [base?.made.features, head?.made.features]
  const both =
    !old || !now ? (now ?? old ?? []) : now.filter(({ name }) => old.some((one) => one.name === name))
  return both.map(({ name, type }) => ({ name, isShown: isText({ name, type }) }))
}

/** Bytes are no text to read. */
const isText = ({ type }: NamedFeature) =>
  ![...typesIn(type)].some((one) => isMedia(one) || (isKind(one, 'Value') && /binary/.test(one.dtype)))

async function run(ctx: Ctx, { processes }: Comparing, order: Parameters<QueryProcesses['run']>[1]) {
  const failed = (message: string) => ({ problem: { code: 'UnexpectedApiError', message } })
  try {
    const { compared } = await processes.run(ctx.config.server.data_dir, order, ctx.signal)
    return compared ?? failed(`The comparison took longer than ${order.deadlineMs / 1000} seconds.`)
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    ctx.log.warn({ err: error }, 'rows could not be compared')
    return failed('The rows could not be compared: they need more time or memory than a query may use.')
  }
}
