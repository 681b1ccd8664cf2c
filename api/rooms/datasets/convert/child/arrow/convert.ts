import { stat } from 'node:fs/promises'
import type { RecordBatch } from 'apache-arrow'
import type { NamedFeature } from '../../../../../../shared/viewer.ts'
import { schemaFeatures } from '../../../features/arrow.ts'
import { sameType, storageOf } from '../../../features/feature.ts'
import { readFooter } from '../footers.ts'
import type { LocalFile, MadeTable, Report, Setup, TableTask } from '../messages.ts'
import { ParquetRows } from '../parquet-writer.ts'
import { TaskFault } from '../task-fault.ts'
import { withBatches, type Batches } from './batches.ts'
import { arrowValue } from './values.ts'

/** Converts Arrow files and streams, one batch after another. The columns are those of the first file, or of the card. */
export async function convertArrow(
  setup: Setup,
  task: TableTask,
  report: (report: Report) => void,
): Promise<MadeTable> {
  const sizes = await Promise.all(task.files.map(async ({ path }) => (await stat(path)).size))
  const all = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  )
  let table: { features: NamedFeature[]; rows: ParquetRows } | undefined
  const begin = (own: NamedFeature[]) => {
    const features = task.features ?? own
    report({ type: 'preview', preview: { features, isExact: !task.isGiven, warnings: [] } })
    return { features, rows: new ParquetRows(task.folder, features, setup.maxGroupRows) }
  }
  let [readBytes, isPartial] = [0, false]
  for (const [i, file] of task.files.entries()) {
    const room = task.maxBytes - readBytes
    const size = sizes[i] ?? 0
    // Of the file that is larger than the room, only the beginning may be here.
    const isCut = size > room
    const taken = await withBatches(file, async (batches) => {
      const own = schemaFeatures(batches.schema)
      table ??= begin(own)
      const columns = columnsOf(file, own, table.features)
      return addBatches(table.rows, batches, {
        columns,
        maxBytes: room,
        isCut,
        onBytes: (bytes) => report({ type: 'progress', done: Math.min(1, (readBytes + bytes) / all) }),
      })
    })
    isPartial = isCut
    readBytes += isCut ? taken : size
    if (isCut) break
  }
  const files = []
  for (const path of (await table?.rows.end()) ?? []) files.push({ path, ...(await readFooter(path)) })
  return { files, isPartial, readBytes }
}

interface Wanted {
  /** Where each column of the table lies in the batches; -1 for one that the file lacks. */
  columns: number[]
  maxBytes: number
  /** Whether the file may end within a batch. */
  isCut: boolean
  onBytes: (bytes: number) => void
}

/** Adds the rows of all batches, or those of the first `maxBytes` in memory. Answers their bytes. */
async function addBatches(rows: ParquetRows, batches: Batches, wanted: Wanted): Promise<number> {
  let bytes = 0
  try {
    for await (const batch of batches) {
      await addBatch(rows, batch, wanted.columns)
      bytes += batch.data.byteLength
      wanted.onBytes(bytes)
      if (wanted.isCut && bytes > wanted.maxBytes) break
    }
  } catch (error) {
    if (!wanted.isCut || error instanceof TaskFault || bytes === 0) throw error
  }
  return bytes
}

async function addBatch(rows: ParquetRows, batch: RecordBatch, columns: readonly number[]): Promise<void> {
  const { children, byteLength } = batch.data
  const rowBytes = byteLength / Math.max(1, batch.numRows)
  for (let i = 0; i < batch.numRows; i++)
    await rows.add(
      columns.map((at) => {
        const column = children[at]
        return column ? arrowValue(column, i) : null
      }),
      rowBytes,
    )
}

/** The columns of a file in the order of the table's. Those that it lacks are null; others than these are an error. */
function columnsOf(
  { name }: LocalFile,
  own: readonly NamedFeature[],
  features: readonly NamedFeature[],
): number[] {
  const fault = (message: string) => new TaskFault('DatasetGenerationCastError', message)
  const extra = own.find((column) => !features.some((feature) => feature.name === column.name))
  if (extra)
    throw fault(
      `The file ${name} has a column ${extra.name}, which other files of this config do not have. Give all files the same columns, or list them as several configs in the card.`,
    )
  return features.map((feature) => {
    const at = own.findIndex((column) => column.name === feature.name)
    const column = own[at]
    if (column && !sameType(storageOf(column.type), storageOf(feature.type)))
      throw fault(
        `The column ${feature.name} of ${name} has another type than in the first file or the card of this config. Write it with the same type.`,
      )
    return at
  })
}
