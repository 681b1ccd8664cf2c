import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { huggingfaceKey } from '../../features/feature.ts'
import { csvQuote, csvSource } from './csv-source.ts'
import { text } from './duck.ts'
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
    ...(task.builder === 'csv' ? { quote: csvQuote(task.options), unfoldsMembers: true } : {}),
    ...(task.builder === 'text' || task.builder === 'xml' ? { hasPlainLines: true } : {}),
  })
  const source = await sourceOf(duck, task, plain.files)
  const { body, meanBytes } = await previewOf(duck, source, task.maxCellBytes)
  const { features, isExact, warnings } = source
  const preview = { features, isExact, warnings }
  report({ type: 'preview', preview: task.media ? preview : { ...preview, body } })
  const groupRows = Math.min(setup.maxGroupRows, rowsOfGroup(meanBytes))
  const paths = await withProgress(duck, report, () => copy(duck, task, source, groupRows))
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
          : textSource(task, files)
  if (source.features.length > MAX_COLUMNS) return { ...source, isExact: false }
  return source
}

const rowsOfGroup = (meanBytes: number) => {
  const vectors = Math.floor(GROUP_BYTES / Math.max(1, meanBytes) / VECTOR_ROWS)
  return VECTOR_ROWS * Math.min(5, Math.max(1, vectors))
}

async function copy(
  duck: DuckDBConnection,
  { folder }: TableTask,
  { sql, features }: Source,
  groupRows: number,
): Promise<string[]> {
  const options = [
    'FORMAT parquet',
    'COMPRESSION zstd',
    `ROW_GROUP_SIZE ${groupRows}`,
    `FILE_SIZE_BYTES ${SHARD_BYTES}`,
    "FILENAME_PATTERN '{i}'",
    `KV_METADATA {huggingface: ${text(huggingfaceKey(features))}}`,
    'RETURN_FILES true',
  ]
  const out = join(folder, 'out')
  // A process that died over the same files may have left some, and DuckDB refuses a folder that has any.
  await rm(out, { recursive: true, force: true })
  const result = await duck.runAndReadAll(`COPY (${sql}) TO ${text(out)} (${options.join(', ')})`)
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
