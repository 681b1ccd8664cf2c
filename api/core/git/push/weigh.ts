import { once } from 'node:events'
import { startThread } from '../../../platform/workers.ts'
import type { Git } from '../git.ts'
import type { Spooled } from '../runner/spool.ts'
import { weighPack, type Weight } from './weigh-pack.ts'
import type { WeighOrder } from './weigh.worker.ts'

/**
 * Whether a pack inflates to more than `maxBytes`, in bounded memory: a small one here, in short turns, a large one in a
 * thread that ends with the answer. Rejects when `signal` aborts.
 */
export async function weigh(
  { weighing }: Git,
  pack: Spooled,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Weight> {
  if (pack.path === undefined) return weighPack(pack.open(), maxBytes)
  const giveBack = await weighing.take()
  try {
    signal.throwIfAborted()
    return await inThread({ path: pack.path, maxBytes }, signal)
  } finally {
    giveBack()
  }
}

async function inThread(order: WeighOrder, signal: AbortSignal): Promise<Weight> {
  const worker = startThread(new URL('./weigh.worker.ts', import.meta.url), order)
  try {
    const [weight] = (await once(worker, 'message', { signal })) as [Weight]
    return weight
  } finally {
    await worker.terminate()
  }
}
