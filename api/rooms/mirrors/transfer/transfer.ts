import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { deleteDiscarded, findInRepo } from '../../../core/lfs/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { derived, requireDiskSpace, type ByteSource } from '../../../stores/storage/index.ts'
import { putProven } from '../../uploads/index.ts'
import type { UpstreamFileSource } from '../reading/file-source.ts'
import { attempts } from './attempts.ts'
import { held } from './bandwidth.ts'
import { keepFile } from './keep.ts'
import { withLease } from './lease.ts'
import { gapsOf, joined, PART_BYTES, putPart } from './parts.ts'
import { claimTransfer, dropParts, listParts, type TransferRow, type Wanted } from './rows.ts'

const PARTS_IN_FLIGHT = 4
/** How often a file that others fetch, or whose turn has not come, is looked at again. */
const LOOK_EVERY_MS = 500

/** How a transfer tells what it does, and what goes with its end. */
export interface TransferOptions {
  signal: AbortSignal
  /** Bytes that have arrived and stay, of this file. */
  progress?: (done: number) => void
  /** Waits as long as transfers may not run. */
  untilAllowed?: () => Promise<void>
  /** Further rows of the transaction that links the bytes. */
  alongside?: (tx: Tx) => Promise<void>
}

/**
 * Brings the bytes of a large file into a repo: in ranges, several at once, each kept as it comes, so that a new attempt goes
 * on where this one ended, in any process. No caller reads them before their SHA-256 and size are proven. Problems:
 * `digest-mismatch` and `size-mismatch` after a second try from scratch, those of the upstream, `storage-full`.
 */
export async function transfer(
  ctx: Ctx,
  wanted: Wanted,
  source: UpstreamFileSource,
  options: TransferOptions,
): Promise<'fetched' | 'here'> {
  for (;;) {
    options.signal.throwIfAborted()
    if (await isHere(ctx, wanted)) return 'here'
    await options.untilAllowed?.()
    const claimed = await claimTransfer(ctx, wanted)
    if (typeof claimed === 'string') await pause(LOOK_EVERY_MS, undefined, { signal: options.signal })
    else {
      await withLease(ctx, claimed, options.signal, (signal) =>
        fetchProven(ctx, claimed, source, { ...options, signal }),
      )
      return 'fetched'
    }
  }
}

/** Whether the repo has the bytes, by a transfer or an upload. */
async function isHere(ctx: Ctx, { repoId, sha256, sizeBytes }: Wanted): Promise<boolean> {
  const found = await findInRepo(ctx.db, ctx, repoId, [sha256])
  return found.get(sha256)?.size === sizeBytes
}

/** Fetches, joins and proves; once more from scratch where the bytes turn out to be others. */
async function fetchProven(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  options: TransferOptions,
): Promise<void> {
  await requireDiskSpace(ctx.blobs, row.size, 'The file')
  try {
    await fetchOnce(ctx, row, source, options)
  } catch (error) {
    if (!(error instanceof Problem) || !['digest-mismatch', 'size-mismatch'].includes(error.code)) throw error
    await deleteDiscarded(ctx, await ctx.db.write((tx) => dropParts(tx, ctx, row)))
    await fetchOnce(ctx, row, source, options)
  }
}

async function fetchOnce(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  options: TransferOptions,
): Promise<void> {
  const { signal, progress, alongside } = options
  const isWhole = !(await fetchParts(ctx, row, source, options))
  const put = async (object: { sha256: string; sizeBytes: number; key: string }) => {
    if (!isWhole) return putProven(ctx, object, joined(ctx, await listParts(ctx.db, row), signal))
    await attempts(signal, async () => {
      const { body } = await source.open(undefined, signal)
      await putProven(
        ctx,
        object,
        counted(held(ctx, body, signal), (done) => progress?.(done)),
      )
    })
  }
  await keepFile(ctx, row, put, { alongside })
}

/**
 * Fetches what no part has yet. `false` where the file comes in one stream: it is small, or the upstream does not send
 * ranges.
 */
async function fetchParts(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  { signal, progress, untilAllowed }: TransferOptions,
): Promise<boolean> {
  const here = await listParts(ctx.db, row)
  if (row.size <= PART_BYTES && here.length === 0) return false
  let doneBytes = here.reduce((sum, { size }) => sum + size, 0)
  progress?.(doneBytes)
  const missing = gapsOf(row, here)
  if (missing.length > 0 && !(await source.sendsRanges(signal))) return false
  const slots = new Limiter({ atOnce: PARTS_IN_FLIGHT })
  // Parts under way are finished when another fails, and kept; no further one begins.
  const failures: unknown[] = []
  await Promise.all(
    missing.map((range) =>
      slots.run('', async () => {
        if (failures.length > 0) return
        try {
          signal.throwIfAborted()
          await untilAllowed?.()
          await attempts(signal, async () => {
            const { body } = await source.open(range, signal)
            const bytes = derived([], () => held(ctx, body, signal))
            await putPart(ctx, row, range, bytes, { signal })
          })
          doneBytes += range.length
          progress?.(doneBytes)
        } catch (error) {
          failures.push(error)
        }
      }),
    ),
  )
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
  return true
}

function counted(chunks: AsyncIterable<Uint8Array>, tell: (done: number) => void): ByteSource {
  return derived([], async function* () {
    let done = 0
    for await (const chunk of chunks) {
      yield chunk
      done += chunk.byteLength
      tell(done)
    }
  })
}
