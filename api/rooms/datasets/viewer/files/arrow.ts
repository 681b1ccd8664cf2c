import { RecordBatchReader, type RecordBatch } from 'apache-arrow'
import type { RemoteFile } from '../../../../core/parsers/index.ts'
import { schemaFeatures } from '../../features/arrow.ts'
import { DataFault } from '../fault.ts'
import { arrowText } from './arrow-cells.ts'
import type { FileRows, FileWanted } from './formats.ts'
import { textRow } from './text-cells.ts'

/** A file in Arrow's IPC form begins with this and two bytes of padding, then a stream follows (Arrow, Columnar.rst). */
const MAGIC = 'ARROW1'
/** What a file ends in: the length of its footer and the magic. */
const END_BYTES = 4 + MAGIC.length
const MAX_FOOTER_BYTES = 16 * 1024 * 1024

/** The first rows of an Arrow file or stream, of whose batches the first `bytes` are read. */
export async function readArrow(file: RemoteFile, wanted: FileWanted, bytes: number): Promise<FileRows> {
  if (bytes === file.sizeBytes) {
    await file.takeRoom(bytes)
    return arrowRows(await file.read(0, bytes), wanted, true)
  }
  // Some writers put the schema in the footer alone (Arrow for JavaScript), so the end is read before the beginning.
  const end = Buffer.from(await file.read(file.sizeBytes - END_BYTES, END_BYTES))
  const footerBytes = end.readUInt32LE(0) + END_BYTES
  const hasFooter =
    end.toString('latin1', 4) === MAGIC &&
    footerBytes <= MAX_FOOTER_BYTES &&
    bytes + footerBytes <= file.sizeBytes
  await file.takeRoom(hasFooter ? 2 * bytes + footerBytes : bytes)
  const head = await file.read(0, bytes)
  if (!hasFooter || !isFile(head)) return arrowRows(head, wanted, false)
  return rowsByFooter(head, await file.read(file.sizeBytes - footerBytes, footerBytes), wanted)
}

const isFile = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC

/** The first rows of an Arrow file or stream, by its beginning or the whole. Batches that are not whole are left out. */
export function arrowRows(bytes: Uint8Array, wanted: FileWanted, isWhole: boolean): FileRows {
  // A file that was read to its end is read by its footer.
  const reader = RecordBatchReader.from(isFile(bytes) && !isWhole ? bytes.subarray(8) : bytes)
  reader.open()
  return rowsOf(reader, wanted, { isWhole, most: Infinity })
}

/** As `arrowRows`, by the beginning of a file and its footer. */
function rowsByFooter(head: Uint8Array, footer: Uint8Array, wanted: FileWanted): FileRows {
  // The footer names batches by their places, which are the same in a file that lacks its middle.
  const reader = RecordBatchReader.from(Buffer.concat([head, footer]))
  const most = openShort(reader, head.length)
  return rowsOf(reader, wanted, { isWhole: false, most })
}

/** What there is to read: the whole file or not, and how many batches of it at most. */
interface Part {
  isWhole: boolean
  most: number
}

interface Batches extends Pick<RecordBatchReader, 'schema'> {
  next(): IteratorResult<RecordBatch>
}

function rowsOf(reader: Batches, { offset, length, cellBytes }: FileWanted, part: Part): FileRows {
  const features = schemaFeatures(reader.schema)
  const rows = []
  let seen = 0
  let isCut = false
  for (const batch of batchesOf(reader, part, () => (isCut = true))) {
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
  const isEnd = part.isWhole && !isCut
  return {
    features,
    rows,
    truncated: !isEnd || offset + length < seen,
    ...(isEnd ? { total: seen } : {}),
  }
}

function* batchesOf(reader: Batches, { isWhole, most }: Part, onCut: () => void): Generator<RecordBatch> {
  for (let count = 0; count < most; count++) {
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
  onCut()
}

const farWords = () =>
  new DataFault(
    'The dictionaries of this Arrow file are too far behind to be shown. Write them before all batches.',
  )

/** Opens a file that lacks its middle, and reads its dictionaries. Answers how many batches in a row lie in its beginning. */
function openShort(reader: RecordBatchReader, headBytes: number): number {
  try {
    reader.open()
  } catch {
    throw farWords()
  }
  const isInside = ({ offset, metaDataLength, bodyLength }: Block) =>
    offset + metaDataLength + bodyLength <= headBytes
  const { footer } = reader
  if ([...(footer?.dictionaryBatches() ?? [])].some((block) => !isInside(block))) throw farWords()
  const blocks = [...(footer?.recordBatches() ?? [])]
  const outside = blocks.findIndex((block) => !isInside(block))
  return outside === -1 ? blocks.length : outside
}

/** Where a batch lies in its file. */
interface Block {
  offset: number
  metaDataLength: number
  bodyLength: number
}
