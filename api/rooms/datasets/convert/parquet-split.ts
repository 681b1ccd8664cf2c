import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { collect } from '../../../stores/storage/index.ts'
import type { SourceFile } from '../configs/source-file.ts'
import { sameType } from '../features/feature.ts'
import type { Footers } from './child/messages.ts'
import type { SplitResult, SplitTask } from './split-task.ts'
import { ConversionFault } from './converter.ts'
import { openSource, type OpenSource } from './sources.ts'

/** Footers that lie on this machine at once. */
const BATCH = 100
const TAIL_BYTES = 64 * 1024
const MAX_FOOTER_BYTES = 128 * 1024 * 1024

/** Parquet files stay as they are: the export names their objects. Only their footers are read. */
export async function convertParquet(task: SplitTask): Promise<SplitResult> {
  const { ctx, snapshot, config, split, sources, stored, folder, converter } = task
  const files: SplitResult['files'] = []
  let [first, memoryBytes] = [undefined as Footers | undefined, 0]
  for (let from = 0; from < sources.length; from += BATCH) {
    const some = sources.slice(from, from + BATCH)
    const local = []
    for (const [i, source] of some.entries()) {
      const path = join(folder, `footer-${i}`)
      await writeFile(path, await endOf(ctx, await openSource(ctx, snapshot, source), source))
      local.push({ name: source.path, path })
    }
    const footers = await converter.footers({ kind: 'footers', files: local })
    if (first) requireSame(first, footers, some[0]?.path ?? '')
    else first = footers
    for (const [i, source] of some.entries()) {
      const { rows = 0, memoryBytes: bytes = 0 } = footers.files[i] ?? {}
      files.push({ ...(await objectOf(task, source, stored)), rows })
      memoryBytes += bytes
    }
    await task.progress(config.name, split.name, (from + some.length) / sources.length)
  }
  const unreadable = first?.unreadable ?? []
  const columns = first?.features ?? []
  return {
    features: task.features ?? columns,
    // Columns of a card that are those of the files, as `push_to_hub` writes them, change nothing.
    isExact: unreadable.length === 0 && isSame(task.features ?? columns, columns),
    warnings: unreadable.map(
      (name) => `The column ${name} has a type that the datasets library cannot read.`,
    ),
    isPartial: false,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    estimatedRows: null,
    memoryBytes,
    files,
  }
}

/** Whether two splits have the same columns; the library casts the second one otherwise. */
const isSame = (one: readonly NamedFeature[], other: readonly NamedFeature[]) =>
  one.length === other.length &&
  one.every(({ name, type }, i) => {
    const found = other[i]
    return found?.name === name && sameType(found.type, type)
  })

function requireSame(first: Footers, footers: Footers, name: string): void {
  const known = new Set(first.features.map((feature) => feature.name))
  const extra = footers.features.find((feature) => !known.has(feature.name))
  if (extra)
    throw new ConversionFault(
      'DatasetGenerationCastError',
      `The file ${name} has a column ${extra.name}, which the first file of this split does not have. Give all files the same columns, or list them as several configs in the card.`,
    )
}

/** The footer of a Parquet file with the eight bytes behind it; too short files come whole, and are refused by the child. */
async function endOf(ctx: Ctx, source: OpenSource, { sizeBytes, path }: SourceFile): Promise<Buffer> {
  const last = async (bytes: number) => {
    const length = Math.min(bytes, sizeBytes)
    return collect(await source.open({ offset: sizeBytes - length, length }), length)
  }
  const tail = await last(TAIL_BYTES)
  ctx.signal.throwIfAborted()
  if (tail.length < 12 || tail.toString('latin1', tail.length - 4) !== 'PAR1') return tail
  const length = tail.readUInt32LE(tail.length - 8) + 8
  if (length <= tail.length) return tail.subarray(tail.length - length)
  if (length > MAX_FOOTER_BYTES || length > sizeBytes)
    throw new ConversionFault('DatasetGenerationError', `The footer of ${path} has an impossible length.`)
  return last(length)
}

/** A small file that git holds itself becomes a large one, since an export names nothing else. */
async function objectOf(
  { ctx, snapshot }: SplitTask,
  source: SourceFile,
  stored: SplitTask['stored'],
): Promise<{ sha256: string; sizeBytes: number }> {
  const { sha256, sizeBytes } = source
  if (sha256 !== undefined) return { sha256, sizeBytes }
  const { open } = await openSource(ctx, snapshot, source)
  return stored.addBytes(await collect(await open(), sizeBytes))
}
