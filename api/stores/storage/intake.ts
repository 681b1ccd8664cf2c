import type { ByteSource, PutOptions } from './blob-store.ts'
import { cancel } from './bytes.ts'
import { requireKey } from './guards.ts'
import { StoreError } from './store-error.ts'

/**
 * Runs `work` on the chunks of a source on their way into a store, held to the put's options: rejects with the
 * signal's reason even while the source is silent, and with `corrupt` when the length differs from the declared one.
 * Whatever fails, the source is cancelled; a silent one is not waited for.
 */
export async function taking<T>(
  key: string,
  source: ByteSource,
  options: PutOptions,
  work: (chunks: ByteSource) => Promise<T>,
): Promise<T> {
  let isStarted = false
  const open = () => {
    isStarted = true
    return source[Symbol.asyncIterator]()
  }
  try {
    requireKey(key)
    const giveBack = (chunk: Uint8Array) => source.giveBack?.(chunk)
    return await work(Object.assign(held(key, open, options), { giveBack }))
  } catch (error) {
    if (!isStarted) unheard(cancel(source))
    throw error
  }
}

async function* held(
  key: string,
  open: () => AsyncIterator<Uint8Array>,
  { sizeBytes: declaredBytes, signal }: PutOptions,
): AsyncGenerator<Uint8Array> {
  const chunks = open()
  let sizeBytes = 0
  let isEnded = false
  try {
    for (;;) {
      const { value, done } = await unlessAborted(() => chunks.next(), signal)
      if (done) break
      sizeBytes += value.length
      if (declaredBytes !== undefined && sizeBytes > declaredBytes)
        throw new StoreError('corrupt', key, `more than the declared ${declaredBytes} bytes`)
      yield value
    }
    isEnded = true
    if (declaredBytes !== undefined && sizeBytes < declaredBytes)
      throw new StoreError('corrupt', key, `${sizeBytes} bytes of the declared ${declaredBytes}`)
  } finally {
    if (!isEnded) unheard(chunks.return?.())
  }
}

function unheard(cancelled: Promise<unknown> | undefined): void {
  // The put has failed already: its error is the one to report, and a silent source may never answer.
  cancelled?.catch(() => undefined)
}

/** What `step` resolves to, or the signal's reason, whichever comes first. */
export function unlessAborted<T>(step: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return step()
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    step()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
