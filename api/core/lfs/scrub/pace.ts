import { setTimeout as sleep } from 'node:timers/promises'
import { derived, type BlobStore, type ByteSource } from '../../../stores/storage/index.ts'

/** Less is not worth a timer. */
const LEAST_MS = 10
const LONGEST_MS = 2000

/**
 * The same store, whose reads rest for as long as they and what is done with their bytes have taken: half of a disk and of a
 * core are left to others.
 */
export function paced(store: BlobStore, signal: AbortSignal): Pick<BlobStore, 'read' | 'stat' | 'delete'> {
  let since = performance.now()
  const rest = async () => {
    const tookMs = performance.now() - since
    if (tookMs < LEAST_MS) return
    await sleep(Math.min(tookMs, LONGEST_MS), undefined, { signal }).catch(() => signal.throwIfAborted())
    since = performance.now()
  }
  return {
    stat: (key) => store.stat(key),
    delete: (key) => store.delete(key),
    async read(key, range) {
      await rest()
      const source: ByteSource = await store.read(key, range, signal)
      return derived([source], async function* () {
        for await (const chunk of source) {
          yield chunk
          await rest()
        }
      })
    },
  }
}
