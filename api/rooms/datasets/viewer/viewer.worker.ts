import { serveFilesAsync, type RemoteFile } from '../../../core/parsers/index.ts'
import { storedMedia } from './cells/media.ts'
import { DataFault, TOO_BIG, TooBig } from './fault.ts'
import { fileRows } from './files/first-rows.ts'
import { measureMedia } from './media/measure.ts'
import { parquetCell, parquetPage, storedColumns } from './parquet/page-of.ts'
import type { Answer, Order } from './thread-orders.ts'

async function work(order: Order, file: RemoteFile): Promise<Answer> {
  switch (order.work) {
    case 'rows':
      return { rows: await parquetPage(order, file) }
    case 'media':
      return { bytes: storedMedia(await parquetCell(order, file)).bytes }
    case 'file':
      return { file: await fileRows(order, file) }
    case 'columns':
      return { columns: await storedColumns(order, file) }
    case 'measure':
      return { measured: await measureMedia(order, file) }
  }
}

/** The libraries throw errors of every kind over damaged bytes, which are the file's fault. */
function named(error: unknown): Error {
  if (error instanceof TooBig) return new TooBig(TOO_BIG + error.message)
  if (error instanceof DataFault) return error
  const reason = error instanceof Error ? error.message.replace(/\.+$/, '') : 'unreadable'
  return new DataFault(`The file is damaged: ${reason}.`)
}

serveFilesAsync<Order, Answer>(
  async (order, file) => {
    try {
      return await work(order, file)
    } catch (error) {
      throw named(error)
    }
  },
  (error) => error instanceof DataFault,
)
