import type { Config } from '../../platform/config/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import {
  hasRows,
  loadDump,
  NotEmpty,
  TooNew,
  type DumpTable,
  type DumpValue,
  type Schema,
} from '../../stores/db/index.ts'
import type { BlobStore } from '../../stores/storage/index.ts'
import { copyBlob, Damaged } from './copy-blob.ts'
import { linesOf } from './copy-share.ts'
import { eachOf } from './each.ts'
import type { Found } from './find.ts'
import { layout, shares } from './layout.ts'
import { readLines } from './lines.ts'
import { Steps, type OnProgress } from './progress.ts'
import { beginRestore, endRestore, isUnfinished } from './unfinished.ts'
import { verifyFiles } from './verify.ts'

const AT_ONCE = 4

export interface RestoreOptions {
  config: Config
  blobs: BlobStore
  /** Every table of the product. */
  schema: Schema
  report: OnProgress
  signal: AbortSignal
}

const blocked = (detail: string) => new Problem('state-conflict', { detail })

/**
 * Puts a backup into the configured store and database, of either kind, which are empty: bytes first, then all rows in one
 * transaction. Continues one that was interrupted. Every byte is compared with the backup's lists. Problem `state-conflict`
 * for a place that is not empty, a newer release's backup, and a damaged backup. Answers how many objects there are now.
 */
export async function restore(
  place: BlobStore,
  found: Required<Found>,
  { config, blobs, schema, report, signal }: RestoreOptions,
): Promise<{ blobs: number; rows: number }> {
  const { id, snapshot, complete } = found
  const { tables } = snapshot
  const dataDir = config.server.data_dir
  const isResumed = await isUnfinished(dataDir, id)
  const hasTables = await hasRows(config.database, tables)
  if (!isResumed) {
    if (hasTables) throw blocked('The database is not empty. Restore into an empty one.')
    await requireEmpty(blobs)
    await beginRestore(dataDir, id)
  }
  for await (const { key, message } of verifyFiles(place, found, signal))
    throw blocked(`The backup is damaged: ${key}: ${message}. Restore another one.`)
  const steps = new Steps('blobs', complete.blobs, report)
  for (const share of shares)
    await eachOf(linesOf(place, layout.copied(id, share)), AT_ONCE, async ({ key, size, sha256 }) => {
      signal.throwIfAborted()
      if (sha256 === undefined) return
      await bring(place, blobs, { key, size, sha256 }, signal)
      steps.add(size ?? 0)
    })
  // All rows come in one transaction: where there are some, an interrupted run has got so far.
  if (!hasTables) await loadRows(place, found, { config, schema, report })
  await endRestore(dataDir)
  return { blobs: complete.blobs, rows: tables.reduce((sum, { rows }) => sum + rows, 0) }
}

async function requireEmpty(blobs: BlobStore): Promise<void> {
  for await (const { key } of blobs.list(''))
    throw blocked(`The blob store is not empty: it has ${key}. Restore into an empty one.`)
}

async function bring(
  place: BlobStore,
  blobs: BlobStore,
  { key, size, sha256 }: { key: string; size: number | undefined; sha256: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    const way = { from: place, fromKey: layout.blob(key), to: blobs, toKey: key }
    await copyBlob(way, { sizeBytes: size, sha256 }, signal)
  } catch (error) {
    if (error instanceof Damaged)
      throw blocked(`The backup is damaged: ${layout.blob(key)}: ${error.message}. Restore another one.`)
    throw error
  }
}

async function loadRows(
  place: BlobStore,
  { id, snapshot }: Required<Found>,
  { config, schema, report }: Pick<RestoreOptions, 'config' | 'schema' | 'report'>,
): Promise<void> {
  const steps = new Steps('database', snapshot.tables.length, report)
  async function* rows(table: DumpTable): AsyncGenerator<DumpValue[]> {
    for await (const line of readLines(place, layout.table(id, table.name)))
      yield JSON.parse(line) as DumpValue[]
    steps.add(0)
  }
  const shape = { migration: snapshot.migration, tables: snapshot.tables }
  try {
    await loadDump(config.database, { schema, shape, rows })
  } catch (error) {
    if (error instanceof TooNew)
      throw blocked(`The backup was made by release ${snapshot.version}, which is newer: ${error.message}.`)
    if (error instanceof NotEmpty)
      throw blocked(`The database is not empty: ${error.message}. Restore into an empty one.`)
    throw error
  }
}
