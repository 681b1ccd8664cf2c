import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import {
  deleteDiscarded,
  findInRepo,
  keepKeys,
  linkArrived,
  recordBytes,
  reserveKeys,
} from '../../../core/lfs/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { OutboundError } from '../../../platform/net/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { blobKeys, derived, requireDiskSpace, type ByteSource } from '../../../stores/storage/index.ts'
import { giveUp, putProven } from '../../uploads/index.ts'
import type { UpstreamFileSource } from '../reading/file-source.ts'
import { held } from './bandwidth.ts'
import {
  addPart,
  claimTransfer,
  dropParts,
  endTransfer,
  LEASE_MS,
  listParts,
  releaseTransfer,
  renewTransfer,
  type TransferPart,
  type TransferRow,
  type Wanted,
} from './rows.ts'

/** What a file is fetched in: a kill costs at most so much of each range in flight. */
const PART_BYTES = 32 * 1024 * 1024
const PARTS_IN_FLIGHT = 4
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 500
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

/** Keeps the lease while `work` runs, and gives the file back when it fails. A lost lease ends the work. */
async function withLease(
  ctx: Ctx,
  row: TransferRow,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const renew = () =>
    ctx.db
      .write((tx) => renewTransfer(tx, ctx, row))
      .then((isHeld) => isHeld || lost.abort(leaseLost()))
      .catch((err: unknown) => ctx.log.warn({ err }, 'the lease of a transfer could not be renewed'))
  const timer = setInterval(() => void renew(), LEASE_MS / 4)
  try {
    await work(AbortSignal.any([signal, lost.signal]))
  } catch (error) {
    await releaseTransfer(ctx, row)
    throw error
  } finally {
    clearInterval(timer)
  }
}

const leaseLost = () =>
  new Problem('temporarily-unavailable', {
    detail: 'Another process has taken the transfer over.',
    retryAfterS: 5,
  })

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
  const object = {
    sha256: row.sha256,
    sizeBytes: row.size,
    key: blobKeys.lfsObject(row.sha256, newId()),
  }
  const isSmall = row.size <= PART_BYTES
  const isWhole = isSmall || !(await fetchParts(ctx, row, source, options))
  await ctx.db.write((tx) => reserveKeys(tx, ctx, [object.key]))
  try {
    if (isWhole) await attempts(options.signal, () => putWhole(ctx, object, source, options))
    else await putProven(ctx, object, joined(ctx, await listParts(ctx.db, row), options.signal))
    const parts = await ctx.db.write(async (tx) => {
      const keys = await endTransfer(tx, ctx, row)
      if (!keys) throw leaseLost()
      await recordBytes(tx, ctx, [object])
      await linkArrived(tx, row.repo_id, [row.sha256], ctx.now())
      await options.alongside?.(tx)
      return keys
    })
    await deleteDiscarded(ctx, parts)
  } catch (error) {
    await giveUp(ctx, object.key)
    throw error
  }
}

async function putWhole(
  ctx: Ctx,
  object: { sha256: string; sizeBytes: number; key: string },
  source: UpstreamFileSource,
  { signal, progress }: TransferOptions,
): Promise<void> {
  const { body } = await source.open(undefined, signal)
  await putProven(
    ctx,
    object,
    counted(held(ctx, body, signal), (done) => progress?.(done)),
  )
}

/**
 * Fetches the parts that are not here yet. `false` where the upstream does not send ranges: then the file comes in one
 * stream.
 */
async function fetchParts(
  ctx: Ctx,
  row: TransferRow,
  source: UpstreamFileSource,
  { signal, progress, untilAllowed }: TransferOptions,
): Promise<boolean> {
  const here = await listParts(ctx.db, row)
  const have = new Set(here.map(({ n }) => n))
  let doneBytes = here.reduce((sum, { size }) => sum + size, 0)
  progress?.(doneBytes)
  const count = Math.ceil(row.size / PART_BYTES)
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((n) => !have.has(n))
  if (missing.length > 0 && !(await source.sendsRanges(signal))) return false
  const slots = new Limiter({ atOnce: PARTS_IN_FLIGHT })
  // Parts under way are finished when another fails, and kept; no further one begins.
  const failures: unknown[] = []
  await Promise.all(
    missing.map((n) =>
      slots.run('', async () => {
        if (failures.length > 0) return
        try {
          signal.throwIfAborted()
          await untilAllowed?.()
          await attempts(signal, () => fetchPart(ctx, row, n, { source, signal }))
          doneBytes += partOf(row, n).length
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

const partOf = ({ size }: TransferRow, n: number) => {
  const offset = (n - 1) * PART_BYTES
  return { offset, length: Math.min(PART_BYTES, size - offset) }
}

async function fetchPart(
  ctx: Ctx,
  row: TransferRow,
  n: number,
  { source, signal }: { source: UpstreamFileSource; signal: AbortSignal },
): Promise<void> {
  const range = partOf(row, n)
  const key = blobKeys.transferPart(row.id, n, newId())
  await ctx.db.write((tx) => reserveKeys(tx, ctx, [key]))
  const { body } = await source.open(range, signal)
  await ctx.blobs.put(
    key,
    derived([], () => held(ctx, body, signal)),
    { sizeBytes: range.length, signal },
  )
  const isKept = await ctx.db.write(async (tx) => {
    await keepKeys(tx, ctx, [key])
    return addPart(tx, ctx, row, { n, key, size: range.length })
  })
  if (!isKept) throw leaseLost()
}

/** The parts one after the other. */
function joined(ctx: Ctx, parts: TransferPart[], signal: AbortSignal): ByteSource {
  return derived([], async function* () {
    for (const { key } of parts) yield* await ctx.blobs.read(key, undefined, signal)
  })
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

/** An address that requests may not go to stays one. */
const isRefusal = ({ cause }: Problem) =>
  cause instanceof OutboundError && ['blocked', 'invalid-url', 'redirect'].includes(cause.fault)

/** Tries again what networks and stores lose; what is refused, or wants a pause, is left to the job. */
async function attempts<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      const isFinal = error instanceof Problem && (error.code !== 'upstream-unavailable' || isRefusal(error))
      if (isFinal || attempt === ATTEMPTS) throw error
      const waitMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random())
      await pause(waitMs, undefined, { signal })
    }
  }
}
