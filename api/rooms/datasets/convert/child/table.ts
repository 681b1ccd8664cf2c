import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { engineThreads } from '../../engine-threads.ts'
import { huggingfaceKey } from '../../features/feature.ts'
import { csvReading, csvSource } from './csv-source.ts'
import { openDuck } from './duck.ts'
import { quoted } from '../../sql-text.ts'
import { folderSource } from './folder-source.ts'
import { readFooter } from './footers.ts'
import { jsonSource } from './json-source.ts'
import { materialise, type PlainFile } from './materialise.ts'
import type { MadeTable, Report, Setup, TableTask } from './messages.ts'
import { previewOf } from './preview.ts'
import type { Source } from './source.ts'
import { textSource } from './text-source.ts'

const SHARD_BYTES = 500_000_000
const GROUP_BYTES = 4 * 1024 * 1024
/** DuckDB writes groups of a multiple of its vectors. */
const VECTOR_ROWS = 2048
const PROGRESS_MS = 500
/** More columns are refused, as the public viewer does. */
const MAX_COLUMNS = 1000

/** Converts a split of text files: says its first rows, then answers its Parquet files. */
export async function convertTable(
  duck: DuckDBConnection,
  setup: Setup,
  task: TableTask,
  report: (report: Report) => void,
): Promise<MadeTable> {
  const plain = await materialise(task.files, {
    folder: task.folder,
    maxBytes: task.maxBytes,
    ...(task.builder === 'csv' ? csvReading(task.options) : {}),
    ...(task.builder === 'text' || task.builder === 'xml' ? { hasPlainLines: true } : {}),
  })
  const source = await sourceOf(duck, task, plain.files)
  const { body, meanBytes } = await previewOf(duck, source, task.maxCellBytes)
  const { features, isExact, warnings } = source
  const preview = { features, isExact, warnings }
  report({ type: 'preview', preview: task.media ? preview : { ...preview, body } })
  const groupRows = Math.min(setup.maxGroupRows, rowsOfGroup(meanBytes))
  const order = { task, features, groupRows }
  const paths =
    (await copyInParallel(setup, source.parallelSql ?? [], order, report)) ??
    (await withProgress(duck, report, () => copy(duck, source.sql, order)))
  const files = []
  for (const path of paths) files.push({ path, ...(await readFooter(path)) })
  return { files, isPartial: plain.isPartial, readBytes: plain.readBytes }
}

async function sourceOf(
  duck: DuckDBConnection,
  task: TableTask,
  files: readonly PlainFile[],
): Promise<Source> {
  const source =
    task.builder === 'csv'
      ? await csvSource(duck, task, files)
      : task.builder === 'json'
        ? await jsonSource(duck, task, files)
        : task.builder === 'folder'
          ? await folderSource(duck, task, files)
          : await textSource(task, files)
  if (source.features.length > MAX_COLUMNS) return { ...source, isExact: false }
  return source
}

const rowsOfGroup = (meanBytes: number) => {
  const vectors = Math.floor(GROUP_BYTES / Math.max(1, meanBytes) / VECTOR_ROWS)
  return VECTOR_ROWS * Math.min(5, Math.max(1, vectors))
}

interface CopyOrder {
  task: TableTask
  features: Source['features']
  groupRows: number
  /** One file instead of shards. Several threads keep the order of the rows in one alone (DuckDB 1.5). */
  isOneFile?: boolean
}

/**
 * As `copy`, by several threads; `undefined` where these cannot read the files or need too much memory. What is wrong with
 * the files is said by the one that reads them in order.
 */
async function copyInParallel(
  setup: Setup,
  queries: readonly string[],
  order: CopyOrder,
  report: (report: Report) => void,
): Promise<string[] | undefined> {
  if (queries.length === 0) return undefined
  const { connection, close } = await openDuck(setup, engineThreads)
  try {
    for (const sql of queries) {
      const copied = withProgress(connection, report, () =>
        copy(connection, sql, { ...order, isOneFile: true }),
      )
      const paths = await copied.catch(() => undefined)
      if (paths) return paths
    }
    return undefined
  } finally {
    close()
  }
}

async function copy(
  duck: DuckDBConnection,
  sql: string,
  { task: { folder }, features, groupRows, isOneFile = false }: CopyOrder,
): Promise<string[]> {
  const options = [
    'FORMAT parquet',
    'COMPRESSION zstd',
    `ROW_GROUP_SIZE ${groupRows}`,
    ...(isOneFile ? [] : [`FILE_SIZE_BYTES ${SHARD_BYTES}`, "FILENAME_PATTERN '{i}'"]),
    `KV_METADATA {huggingface: ${quoted(huggingfaceKey(features))}}`,
    'RETURN_FILES true',
  ]
  const out = join(folder, 'out')
  // A process that died over the same files may have left some, and DuckDB refuses a folder that has any.
  await rm(out, { recursive: true, force: true })
  if (isOneFile) await mkdir(out)
  const target = isOneFile ? join(out, '0.parquet') : out
  const result = await duck.runAndReadAll(`COPY (${sql}) TO ${quoted(target)} (${options.join(', ')})`)
  const [row] = result.getRowsJson()
  const numbered = (path: string) => Number(/(\d+)\.parquet$/.exec(path)?.[1] ?? 0)
  const paths = (row?.[1] ?? []) as string[]
  return paths.toSorted((a, b) => numbered(a) - numbered(b))
}

async function withProgress<T>(
  duck: DuckDBConnection,
  report: (report: Report) => void,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    const { percentage } = duck.progress
    report({ type: 'progress', done: percentage > 0 ? Math.min(1, percentage / 100) : 0 })
  }, PROGRESS_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
