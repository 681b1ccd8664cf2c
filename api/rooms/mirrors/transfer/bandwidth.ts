import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import type { Db } from '../../../stores/db/index.ts'
import { countHolders } from './rows.ts'

/** How often each process asks how many there are. */
const SHARED_EVERY_MS = 2_500
/** What may be taken ahead of time, as time: so much is made up after a pause. */
const BURST_MS = 1_000

/** The share of this process in `pull.bandwidth_limit`. */
class Bandwidth {
  #share = 1
  #askedAt = Number.NEGATIVE_INFINITY
  /** When what was taken so far is paid for, on the clock of `performance`. */
  #paidAt = 0

  /** Waits until `bytes` more may pass. */
  async take(ctx: Ctx, bytes: number, signal: AbortSignal): Promise<void> {
    const limit = ctx.config.pull.bandwidth_limit
    const at = performance.now()
    if (at - this.#askedAt > SHARED_EVERY_MS) {
      this.#askedAt = at
      this.#share = Math.max(1, await countHolders(ctx))
    }
    const costMs = (bytes / (limit / this.#share)) * 1000
    this.#paidAt = Math.max(this.#paidAt, at - BURST_MS) + costMs
    const waitMs = this.#paidAt - at
    if (waitMs > 0) await pause(waitMs, undefined, { signal })
  }
}

const bandwidthOf = (_: Db) => new Bandwidth()

/** Holds bytes that arrive to this process's share of `pull.bandwidth_limit`. */
export const held = (
  ctx: Ctx,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> => (ctx.config.pull.bandwidth_limit === 0 ? chunks : shared(ctx, chunks, signal))

async function* shared(
  ctx: Ctx,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bandwidth = ctx.db.keep(bandwidthOf)
  for await (const chunk of chunks) {
    await bandwidth.take(ctx, chunk.byteLength, signal)
    yield chunk
  }
}
