import { setTimeout as sleep } from 'node:timers/promises'
import { Stalled, toStoreError } from './errors.ts'

/** Longest wait between two tries, in milliseconds. */
const MAX_WAIT_MS = 20_000

/** How often and how patiently a request is made. */
export interface Patience {
  /** Tries after the first one. */
  retries: number
  /** How long a request may go without a sign of life, in milliseconds. */
  stallMs: number
  /** Longest first wait; each further one may last twice as long. */
  backoffMs: number
}

/** One try of a request. */
export interface Attempt {
  /** Aborts when the caller stops waiting, or when the request stalls. */
  abortSignal: AbortSignal
  /** To be called at each sign of life. */
  touch(): void
  /** An earlier try failed without a word on whether it took effect. */
  isRepeat: boolean
}

/** A wait before try `n` (from 1): random between half and all of what doubles each time, so that clients spread out. */
export async function backOff(n: number, { backoffMs }: Patience, signal?: AbortSignal): Promise<void> {
  const longest = Math.min(MAX_WAIT_MS, backoffMs * 2 ** (n - 1))
  try {
    await sleep(longest * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

/**
 * Tries until it succeeds, fails for good, or has used up its tries. Throws the signal's reason unchanged, anything
 * else as `StoreError`.
 */
export async function persist<T>(
  key: string,
  patience: Patience,
  signal: AbortSignal | undefined,
  act: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(patience.stallMs, signal, tries > 1, act)
    } catch (error) {
      signal?.throwIfAborted()
      const failure = toStoreError(key, error)
      if (failure.kind !== 'transient' || tries > patience.retries) throw failure
    }
    await backOff(tries, patience, signal)
  }
}

async function once<T>(
  stallMs: number,
  signal: AbortSignal | undefined,
  isRepeat: boolean,
  act: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const abort = new AbortController()
  const stop = () => abort.abort(signal?.reason)
  const stalled = new Stalled(stallMs)
  const timer = setTimeout(() => abort.abort(stalled), stallMs)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await act({ abortSignal: abort.signal, touch: () => timer.refresh(), isRepeat })
  } catch (error) {
    // The client wraps the reason in an error of its own.
    throw abort.signal.reason === stalled ? stalled : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
