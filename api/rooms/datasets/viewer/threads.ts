import type { Ctx } from '../../../core/ctx.ts'
import { openObject } from '../../../core/lfs/index.ts'
import { FileFailure, FileThreads, sourceReader, type RangedReader } from '../../../core/parsers/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { DataFault, TOO_BIG, TooBig } from './fault.ts'
import { Room } from './room.ts'
import type { Answer, Order } from './thread-orders.ts'

const threads = new FileThreads<Order, Answer>(new URL('./viewer.worker.ts', import.meta.url), {
  threads: 2,
  deadlineMs: 30_000,
  memoryMb: 1024,
})
/** Pages that scroll ask for a few blocks of rows at once; beyond a hundred that wait the server has too much to do. */
const turns = new Limiter({ atOnce: 2, maxWaiting: 100 })
/** What all requests together may hold of decoded data. */
const room = new Room()

/** A data file, named by its content. */
export interface DataFile {
  key: string
  reader: RangedReader
}

/** The large file of a repo whose files the caller may read. */
export async function openDataFile(ctx: Ctx, repoId: string, sha256: string): Promise<DataFile> {
  const object = await openObject(ctx, repoId, sha256)
  // Throws where its bytes are missing, with the reason.
  object.key()
  const sizeBytes = object.presence === 'present' ? object.sizeBytes : 0
  return { key: sha256, reader: sourceReader(sizeBytes, (range, signal) => object.open(range, signal)) }
}

/**
 * Has a thread read a data file. Throws `DataFault` for a file that cannot be read, `TooBig` where a request takes more
 * than `viewer.max_request_bytes`; Problem `temporarily-unavailable` when too many requests wait.
 */
export async function readData(ctx: Ctx, { reader }: DataFile, order: Order): Promise<Answer> {
  const end = await turns.take({ signal: ctx.signal })
  let taken = 0
  const limit = ctx.config.viewer.max_request_bytes
  try {
    return await threads.run(
      order,
      {
        sizeBytes: reader.sizeBytes,
        read: (offset, length, signal) => reader.read(offset, length, signal),
        async takeRoom(bytes, signal) {
          await room.take(bytes, limit, signal)
          taken += bytes
        },
      },
      ctx.signal,
    )
  } catch (error) {
    throw faultOf(error)
  } finally {
    room.giveBack(taken)
    end()
  }
}

function faultOf(error: unknown): unknown {
  if (!(error instanceof FileFailure) || error.code === 'crashed') return error
  if (error.code === 'resource_limit') return new TooBig(error.message, { cause: error })
  return error.message.startsWith(TOO_BIG)
    ? new TooBig(error.message.slice(TOO_BIG.length), { cause: error })
    : new DataFault(error.message, { cause: error })
}
