import { RecordBatchReader, type RecordBatch } from 'apache-arrow'
import { schemaFeatures } from '../../features/arrow.ts'
import { DataFault } from '../fault.ts'
import { arrowText } from './arrow-cells.ts'
import type { FileRows, FileWanted } from './formats.ts'
import { textRow } from './text-cells.ts'

/** A file in Arrow's IPC form begins with this and two bytes of padding; the rest is a stream (Arrow, Columnar.rst). */
const MAGIC = 'ARROW1'

/** The first rows of an Arrow file or stream, by the bytes of its beginning. Batches that are not whole are left out. */
export function arrowRows(
  bytes: Uint8Array,
  { offset, length, cellBytes }: FileWanted,
  isWhole: boolean,
): FileRows {
  const isFile = Buffer.from(bytes.subarray(0, 6)).toString('latin1') === MAGIC
  // Some writers put the schema in the footer alone, so a file that was read to its end is read by its footer.
  const reader = RecordBatchReader.from(isFile && !isWhole ? bytes.subarray(8) : bytes)
  reader.open()
  const features = schemaFeatures(reader.schema)
  const rows = []
  let seen = 0
  let isCut = false
  for (const batch of batchesOf(reader, isWhole, () => (isCut = true))) {
    const columns = batch.data.children
    for (let i = Math.max(0, offset - seen); i < batch.numRows && seen + i < offset + length; i++)
      rows.push(
        textRow(
          columns.map((column) => arrowText(column, i)),
          cellBytes,
        ),
      )
    seen += batch.numRows
  }
  if (isCut && seen === 0)
    throw new DataFault('The first batch of this Arrow file is too large to be shown. Write smaller batches.')
  const isEnd = isWhole && !isCut
  return {
    features,
    rows,
    truncated: !isEnd || offset + length < seen,
    ...(isEnd ? { total: seen } : {}),
  }
}

function* batchesOf(
  reader: { next(): IteratorResult<RecordBatch> },
  isWhole: boolean,
  onCut: () => void,
): Generator<RecordBatch> {
  for (;;) {
    let next
    try {
      next = reader.next()
    } catch (error) {
      // The library has no word for the end of what was read; a file that was read to its end is damaged.
      if (isWhole) throw error
      onCut()
      return
    }
    if (next.done) {
      if (!isWhole) onCut()
      return
    }
    yield next.value
  }
}
