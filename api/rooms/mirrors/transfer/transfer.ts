import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { deleteDiscarded, findInRepo } from '../../../core/lfs/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Db, Tx } from '../../../stores/db/index.ts'
import { derived, inSlabs, requireDiskSpace, type ByteSource } from '../../../stores/storage/index.ts'
import { putProven } from '../../uploads/index.ts'
import type { UpstreamFileSource } from '../reading/file-source.ts'
import { attempts } from './attempts.ts'
import { held } from './bandwidth.ts'
import { keepFile, type KeptFile } from './keep.ts'
import { leaseLost, withLease } from './lease.ts'
import { gapsOf, joined, ofSlabs, PART_BYTES, putPart } from './parts.ts'
import { claimTransfer, dropParts, listParts, renewTransfer, type TransferRow, type Wanted } from './rows.ts'

const PARTS_IN_FLIGHT = 4
/** How often a file that others fetch, or whose turn has not come, is looked at again. */
const LOOK_EVERY_MS = 500
/** Files that a process proves and joins at once, beside those that it fetches. */
const JOINS_AT_ONCE = 2

const joinsOf = (_: Db) => new Limiter({ atOnce: JOINS_AT_ONCE })

/** How a transfer tells what it does, and what goes with its end. */
export interface TransferOptions {
  signal: AbortSignal
  /** Whose turn it is among the files that the caller wants; a file leaves it once all its bytes have come. */
  slots: Limiter
  /** Bytes that have arrived and stay, of this file. */
  progress?: (done: number) => void
  /** Links bytes that are here and may be used; answers whether there were such. */
  link: () => Promise<boolean>
  /** Waits as long as transfers may not run. */
  untilAllowed?: () => Promise<void>
  /** Further rows of the transaction that links the bytes. */
  alongside?: (tx: Tx) => Promise<void>
}

/** One attempt: `fetched` hears when no more bytes will come from the upstream. */
type Attempt = TransferOptions & { fetched: () => void }

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
): Promise<'fetched' | 'here' | 'linked'> {
  for (let mismatches = 0; ;) {
    const leave = await options.slots.take({ signal: options.signal })
    try {
      options.signal.throwIfAborted()
      if (await options.link()) return 'linked'
      if (await isHere(ctx, wanted)) return 'here'
      await options.untilAllowed?.()
      const claimed = await claimTransfer(ctx, wanted)
      if (typeof claimed !== 'string') {
        const work = (signal: AbortSignal) =>
          fetchProven(ctx, claimed, source, { ...options, signal, fetched: leave })
        await withLease(ctx, claimed, options.signal, work)
        return 'fetched'
      }
      await pause(LOOK_EVERY_MS, undefined, { signal: options.signal })
    } catch (error) {
      if (!isMismatch(error) || ++mismatches === 2) throw error
    } finally {
      leave()
    }
  }
}

/** Whether the repo has the bytes, by a transfer or an upload. */
export async function isHere(ctx: Ctx, { repoId, sha256, sizeBytes }: Wanted): Promise<boolean> {
  const found = await findInRepo(ctx.db, ctx, repoId, [sha256])
  return found.get(sha256)?.size === sizeBytes
}

const isMismatch = (error: unknown) =>
  error instanceof Problem && ['digest-mismatch', 'size-mismatch'].includes(error.code)

/** Fetches, joins and proves. Bytes that turn out to be others are dropped. */
async function fetchProven(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  attempt: Attempt,
): Promise<void> {
  await requireDiskSpace(ctx.blobs, row.size, 'The file')
  try {
    if (await fetchParts(ctx, row, source, attempt)) await joinParts(ctx, row, attempt)
    else await fetchWhole(ctx, row, source, attempt)
  } catch (error) {
    if (isMismatch(error)) await deleteDiscarded(ctx, await ctx.db.write((tx) => dropParts(tx, ctx, row)))
    throw error
  }
}

async function fetchWhole(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  { signal, progress, alongside }: Attempt,
): Promise<void> {
  const put = (object: KeptFile) =>
    attempts(signal, async () => {
      const { body } = await source.open(undefined, signal)
      const bytes = counted(held(ctx, body, signal), (done) => progress?.(done))
      await putProven(ctx, object, bytes)
    })
  await keepFile(ctx, row, put, { alongside })
}

/** The next file is fetched meanwhile. */
async function joinParts(ctx: Ctx, row: TransferRow, { signal, alongside, fetched }: Attempt): Promise<void> {
  const leave = await ctx.db.keep(joinsOf).take({ signal })
  try {
    if (!(await ctx.db.write((tx) => renewTransfer(tx, ctx, row, { proven: false })))) throw leaseLost()
    fetched()
    const parts = await listParts(ctx.db, row)
    const put = (object: KeptFile) => putProven(ctx, object, joined(ctx, parts, signal))
    await keepFile(ctx, row, put, { alongside })
  } finally {
    leave()
  }
}

/**
 * Fetches what no part has yet. `false` where the file comes in one stream: it is small, or the upstream does not send
 * ranges.
 */
async function fetchParts(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  { signal, progress, untilAllowed }: Attempt,
): Promise<boolean> {
  const here = await listParts(ctx.db, row)
  if (row.size <= PART_BYTES && here.length === 0) return false
  let doneBytes = here.reduce((sum, { size }) => sum + size, 0)
  progress?.(doneBytes)
  const missing = gapsOf(row, here)
  const [first] = missing
  if (!first) return true
  // The first range tells whether the upstream sends ranges.
  const firstAnswer = await attempts(signal, () => source.openRange(first, signal))
  if (!firstAnswer) return false
  let answer: typeof firstAnswer | undefined = firstAnswer
  const slots = new Limiter({ atOnce: PARTS_IN_FLIGHT })
  // Parts under way are finished when another fails, and kept; no further one begins.
  const failures: unknown[] = []
  await Promise.all(
    missing.map((range) =>
      slots.run('', async () => {
        if (failures.length > 0) return
        try {
          signal.throwIfAborted()
          if (range !== first) await untilAllowed?.()
          await attempts(signal, async () => {
            const { body } = (range === first && answer) || (await source.open(range, signal))
            if (range === first) answer = undefined
            const slabs = ofSlabs(() => inSlabs(held(ctx, body, signal)))
            await putPart(ctx, row, range, slabs, { signal })
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
