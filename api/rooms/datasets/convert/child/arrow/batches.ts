import { open, type FileHandle } from 'node:fs/promises'
import { RecordBatchReader, type RecordBatch, type Schema } from 'apache-arrow'
import type { LocalFile } from '../messages.ts'
import { notReadable, TaskFault } from '../task-fault.ts'

/** A file in Arrow's IPC form begins with this and two bytes of padding; the rest is a stream (Arrow, Columnar.rst). */
const MAGIC = 'ARROW1'
const MAGIC_BYTES = 8
/** One batch is in memory at a time. */
const MAX_BATCH_BYTES = 256 * 1024 * 1024

/** The batches of an Arrow file or stream, and how much of the file they take. */
export interface Batches {
  schema: Schema
  [Symbol.asyncIterator](): AsyncIterator<RecordBatch>
}

/** Opens an Arrow file or stream, passes its batches to `use`, and closes it. Its end may be missing. */
export async function withBatches<T>(
  { name, path }: LocalFile,
  use: (batches: Batches) => Promise<T>,
): Promise<T> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const isFile = await hasMagic(handle, 0)
    // A file is read by the footer at its end. Without that it is a stream.
    const hasFooter = isFile && (await hasMagic(handle, size - MAGIC.length))
    const source = bounded(handle, { name, size, start: isFile && !hasFooter ? MAGIC_BYTES : 0 })
    const reader = await RecordBatchReader.from(source as unknown as FileHandle)
    await reader.open()
    const { schema } = reader
    return await use({ schema, [Symbol.asyncIterator]: () => reader[Symbol.asyncIterator]() })
  } catch (error) {
    if (error instanceof TaskFault) throw error
    throw notReadable(`The file ${name} cannot be read: ${reasonOf(error)}`)
  } finally {
    await handle.close()
  }
}

async function hasMagic(handle: FileHandle, at: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, Math.max(0, at))
  return buffer.toString('latin1') === MAGIC
}

/** A file from `start` on, of which no more is read at once than a batch may have. The library asks for whole batches. */
function bounded(handle: FileHandle, { name, size, start }: { name: string; size: number; start: number }) {
  return {
    fd: handle.fd,
    stat: () => Promise.resolve({ size: size - start }),
    close: () => handle.close(),
    read: (buffer: Uint8Array, offset: number, length: number, position: number) => {
      if (length > MAX_BATCH_BYTES)
        throw notReadable(
          `A batch of ${name} has ${length} bytes; at most ${MAX_BATCH_BYTES} are read at once. Write smaller batches.`,
        )
      return handle.read(buffer, offset, length, start + position)
    },
  }
}

function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: '' }
  if (message.includes('compressed')) return 'its batches are compressed. Write them without compression.'
  if (message.startsWith('the type')) return `${message}. Store its columns in other types.`
  return `${message.replace(/\.?$/, '.')} Is it an Arrow file or stream?`
}
