import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
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
  const worker = startWorker(order)
  try {
    const [weight] = (await once(worker, 'message', { signal })) as [Weight]
    return weight
  } finally {
    await worker.terminate()
  }
}

/** The built server has its own bundle of it; source files need a loader on Node 20, which `--import` gives to none. */
function startWorker(workerData: WeighOrder): Worker {
  const entry = new URL('./weigh.worker.ts', import.meta.url)
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, { env: {}, workerData })
  const load = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(entry.href)})))`
  return new Worker(load, { eval: true, env: {}, workerData })
}
