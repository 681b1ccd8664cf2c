import { once } from 'node:events'
import type { Ctx } from '../../../core/ctx.ts'
import { markPulling } from '../../../core/lfs/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { requireDiskSpace } from '../../../stores/storage/index.ts'
import { queueConversion } from '../../datasets/index.ts'
import { queueIndex } from '../../indexing/index.ts'
import { requireQuota } from '../../repos/index.ts'
import { queueScan } from '../../scans/index.ts'
import { addProvenance } from '../pull/provenance.ts'
import { withLease } from '../transfer/lease.ts'
import { BLOCK_BYTES, claimForReader, findTransfer } from '../transfer/rows.ts'
import { Arrival } from './arrival.ts'
import { askerOf } from './bring-revision.ts'
import type { FarFile } from './file.ts'
import { lastingOf } from './lasting.ts'
import { queueRest } from './queue-rest.ts'

/** Files that arrive at once in one process; each has 24 MiB in memory at most. */
const AT_ONCE = 32
/** From here on a transfer goes on without readers, or when a quarter has come. */
const WORTH_BYTES = 32 * BLOCK_BYTES
/** So little is fetched to the end at once. */
const REST_BYTES = 8 * BLOCK_BYTES
/** How often a transfer without readers here asks whether other processes have some. */
const ASK_EVERY_MS = 5_000
const PULLING_MS = 24 * 3_600_000

/** Why a transfer ended early: no reader is left. */
class NoReaders extends Error {}

interface Live {
  started: Promise<Arrival | 'busy'>
  readers: number
  ending: AbortController
  /** Aborts once nothing is left of the transfer in this process. */
  over: AbortController
}

/** A place among the readers of a file that arrives; `leave` may be called more than once. */
export interface Seat {
  arrival: Arrival
  leave: () => void
}

/** The large files that arrive in this process. */
export class Arrivals {
  readonly #live = new Map<string, Live>()
  readonly #slots = new Limiter({ atOnce: AT_ONCE })

  /** Whether this process fetches the file. */
  has(file: FarFile): boolean {
    return this.#live.has(keyOf(file))
  }

  /**
   * Takes part in the transfer of a file, which begins with its first reader; `busy` where another one is alive. One that has
   * failed is for those who read it then: a later reader begins another.
   */
  async join(ctx: Ctx, file: FarFile, readerId: string | null): Promise<Seat | 'busy'> {
    const key = keyOf(file)
    let live = this.#live.get(key)
    if (!live) {
      const [ending, over] = [new AbortController(), new AbortController()]
      live = { readers: 0, ending, over, started: Promise.resolve('busy' as const) }
      this.#live.set(key, live)
      live.started = this.#start(ctx, file, live, readerId)
    }
    const seated = live
    seated.readers++
    let isSeated = true
    const leave = () => {
      if (!isSeated) return
      isSeated = false
      seated.readers--
      if (seated.readers === 0) void this.#emptied(ctx, file, seated)
    }
    try {
      const arrival = await seated.started
      if (arrival !== 'busy' && arrival.state.name !== 'failed') return { arrival, leave }
      leave()
      if (arrival === 'busy') return 'busy'
    } catch (error) {
      leave()
      throw error
    }
    if (!seated.over.signal.aborted) await once(seated.over.signal, 'abort', { signal: ctx.signal })
    return this.join(ctx, file, readerId)
  }

  async #start(request: Ctx, file: FarFile, live: Live, readerId: string | null): Promise<Arrival | 'busy'> {
    // It outlives the request of its first reader.
    const ctx = lastingOf(request)
    const { repoId, sha256, sizeBytes } = file
    const release = await this.#slots.take()
    const forget = () => {
      release()
      if (this.#live.get(keyOf(file)) === live) this.#live.delete(keyOf(file))
      live.over.abort()
    }
    try {
      const asker = await askerOf(ctx, file.read)
      await Promise.all([
        requireQuota(asker, repoId, { objects: [{ sha256, sizeBytes }] }),
        requireDiskSpace(ctx.blobs, sizeBytes, 'The file'),
      ])
      const until = new Date(ctx.now().getTime() + PULLING_MS)
      const row = await claimForReader(ctx, { repoId, sha256, sizeBytes }, until)
      if (row === 'busy') {
        forget()
        return 'busy'
      }
      const arrival = new Arrival(ctx, row, file.source)
      const work = (signal: AbortSignal) =>
        arrival.run(signal, async (tx) => {
          const source = {
            caller: file.read.caller,
            repo: file.read.repo,
            commit: file.commit,
            repoId,
            asker,
          }
          await addProvenance(tx, source, file, { ctx, jobId: null, verified: 'sha256' })
          await queueIndex(tx, ctx, repoId)
          await queueScan(tx, ctx, repoId)
          await queueConversion(tx, ctx, repoId)
        })
      const signal = AbortSignal.any([ctx.stopping, live.ending.signal])
      void withLease(ctx, row, signal, work)
        .catch((error: unknown) => this.#ended(ctx, file, { error, live, readerId }, arrival))
        .catch((err: unknown) => ctx.log.warn({ err, sha256 }, 'the end of a transfer could not be noted'))
        .finally(forget)
      return arrival
    } catch (error) {
      forget()
      throw error
    }
  }

  /** What is worth it goes on as a job. */
  async #ended(
    ctx: Ctx,
    file: FarFile,
    { error, live, readerId }: { error: unknown; live: Live; readerId: string | null },
    arrival: Arrival,
  ): Promise<void> {
    const { repoId, sha256 } = file
    const { reason } = live.ending.signal
    await ctx.db.write((tx) => markPulling(tx, repoId, [sha256], null))
    if (!(reason instanceof NoReaders)) {
      if (!ctx.stopping.aborted) ctx.log.warn({ err: error, repo: repoId, sha256 }, 'a file did not arrive')
      return
    }
    if (isWorth(arrival)) await queueRest(ctx, file, readerId)
  }

  /** Without readers a transfer ends, but for a short rest, and unless other processes have readers. */
  async #emptied(ctx: Ctx, file: FarFile, live: Live): Promise<void> {
    const arrival = await live.started.catch(() => 'busy' as const)
    if (arrival === 'busy' || live.readers > 0 || arrival.state.name !== 'arriving') return
    const rest = arrival.row.size - arrival.arrived
    if (isWorth(arrival) && rest <= REST_BYTES) return
    const row = await findTransfer(ctx.db, file).catch(() => undefined)
    if (live.readers > 0) return
    if (row?.wanted_until && row.wanted_until > ctx.now()) {
      setTimeout(() => void this.#emptied(ctx, file, live), ASK_EVERY_MS).unref()
      return
    }
    if (this.#live.get(keyOf(file)) === live) this.#live.delete(keyOf(file))
    live.ending.abort(new NoReaders('no reader is left'))
  }
}

const keyOf = ({ repoId, sha256 }: FarFile) => `${repoId}/${sha256}`

const isWorth = ({ arrived, row: { size } }: Arrival) => arrived >= Math.min(WORTH_BYTES, size / 4)

/** Whether an error means that a transfer ended for want of readers: another may take it over. */
export const isLeft = (error: unknown): boolean =>
  error instanceof NoReaders || (error instanceof Error && error.cause instanceof NoReaders)
