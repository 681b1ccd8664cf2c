import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '../../stores/storage/index.ts'
import type { Logger } from '../../platform/telemetry/index.ts'

const firstWaitMs = 500
const longestWaitMs = 10_000

/** The blob store did not answer in time; the cause says what it did instead. */
export class StoreOutOfReach extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'StoreOutOfReach'
  }
}

/**
 * Resolves when the blob store can be used. Asks again for `waitMs`, whatever it says: a bucket may still be made, a
 * permission still be given. Throws `StoreOutOfReach` with the last answer, or the signal's reason.
 */
export async function reachStore(
  { blobs, log }: { blobs: Pick<BlobStore, 'check'>; log: Logger },
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let pauseMs = firstWaitMs; ; pauseMs = Math.min(pauseMs * 2, longestWaitMs)) {
    try {
      return await blobs.check()
    } catch (error) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) throw new StoreOutOfReach(error)
      log.warn({ err: error }, 'the blob store cannot be used yet')
      await sleep(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}
