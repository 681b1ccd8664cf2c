import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { huggingfaceKey } from '../features/feature.ts'
import type { DatasetConfig, DatasetSplit } from '../facts.ts'
import { QueryFailure, type QueryEnd, type QueryProcesses } from '../query/engine/processes.ts'
import { narrowedBy, requireQueried, type RowsAsked } from '../query/narrowed.ts'
import { rawPlace, splitFiles } from '../query/split-files.ts'
import type { Viewed } from '../viewer/open.ts'
import { columnsOf } from '../viewer/split-rows.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'

const GROUP_BYTES = 4 * 1024 * 1024
/** DuckDB writes groups of a multiple of its vectors. */
const VECTOR_ROWS = 2048
const READY_MS = 1000

export interface Wanted extends RowsAsked {
  config: DatasetConfig
  split: DatasetSplit
  /** Names of the columns of the file, in their order; all unless given. */
  columns?: readonly string[] | undefined
}

export interface Written {
  rows: number
  sizeBytes: number
  /** Whether the export, or what queries look at of it, is a part of the split. */
  isPartial: boolean
}

interface How {
  processes: QueryProcesses
  path: string
  deadlineMs: number
  maxRows?: number
  /** Waits for copies of a bucket's files, where a request is asked to come again. */
  isPatient?: boolean
  onRows?: (rows: number) => void
}

/** Writes the rows of a filter or a search into one Parquet file. Throws `ViewerFault`. */
export async function writeParquet(ctx: Ctx, viewed: Viewed, wanted: Wanted, how: How): Promise<Written> {
  const { config, split } = wanted
  const features = columnsOf(config)
  const places = new Map(features.map(({ name }, i) => [name, i]))
  const names = namesOf(wanted, features)
  const narrowed = narrowedBy(wanted, features)
  const { files, others } = await readyFiles(ctx, viewed, wanted, how.isPatient === true)
  requireQueried(narrowed, { others })
  const placeOf = (name: string) => {
    const place = `c${places.get(name)}`
    return others.has(place) ? rawPlace(place) : place
  }
  const total = split.rows ?? 0
  const end = await run(
    ctx,
    how,
    {
      work: 'copy',
      files,
      ...narrowed,
      columns: names.map((name) => ({ place: placeOf(name), name })),
      path: how.path,
      groupRows: groupRowsOf(split),
      key: huggingfaceKey(features.filter(({ name }) => names.includes(name))),
      ...(how.maxRows === undefined ? {} : { maxRows: how.maxRows }),
      deadlineMs: how.deadlineMs,
    },
    (share) => how.onRows?.(Math.round(share * total)),
  )
  if (end.isLate || end.written === undefined)
    throw new ViewerFault(
      'UnexpectedApiError',
      `The file took longer than ${how.deadlineMs / 1000} seconds. Ask for fewer rows or columns.`,
    )
  const { size } = await stat(how.path)
  return {
    rows: end.written,
    sizeBytes: size,
    isPartial: split.is_partial || files.length < split.files.length,
  }
}

/** The columns of the file. Throws `ViewerFault` for those that are not there, or are named twice. */
export function namesOf(
  { columns }: Pick<Wanted, 'columns'>,
  features: readonly NamedFeature[],
): readonly string[] {
  const known = features.map(({ name }) => name)
  const names = columns ?? known
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new ViewerFault('InvalidParameter', `There is no column "${unknown}".`)
  if (names.length === 0 || new Set(names).size < names.length)
    throw new ViewerFault('InvalidParameter', 'Name each column once, and at least one.')
  return names
}

async function readyFiles(ctx: Ctx, { repo }: Viewed, { config, split }: Wanted, isPatient: boolean) {
  for (;;)
    try {
      return await splitFiles(ctx, repo.id, split, columnsOf(config))
    } catch (error) {
      if (!isPatient || !(error instanceof ViewerFault) || error.code !== 'ResponseNotReady') throw error
      await delay(READY_MS, undefined, { signal: ctx.signal })
    }
}

async function run(
  ctx: Ctx,
  { processes }: How,
  query: Parameters<QueryProcesses['run']>[1],
  onCopied: (share: number) => void,
): Promise<QueryEnd> {
  try {
    return await processes.run(ctx.config.server.data_dir, query, ctx.signal, onCopied)
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    ctx.log.warn({ err: error }, 'rows could not be written as Parquet')
    const isMemory = /out of memory/i.test(error.message)
    throw new ViewerFault(
      'UnexpectedApiError',
      isMemory
        ? 'The rows need more memory than a query may use. Leave out columns with large values, such as images.'
        : `The file could not be written: ${error.message.split('\n')[0] ?? ''}`,
      { cause: error },
    )
  }
}

function groupRowsOf({ memory_bytes: bytes, rows }: DatasetSplit): number {
  const mean = (bytes ?? 0) / Math.max(1, rows ?? 0)
  const vectors = Math.floor(GROUP_BYTES / Math.max(1, mean) / VECTOR_ROWS)
  return VECTOR_ROWS * Math.min(5, Math.max(1, vectors))
}
