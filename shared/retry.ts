import { ApiProblem } from './client.ts'

/** Tries of one request before the failure is the caller's. */
const maxTries = 6

/** Repeats what failed for a passing reason (no answer, 408, 429, 5xx), as long as `Retry-After` says or 1, 2, 4 … s. */
export async function retrying<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ApiProblem) || !isPassing(error.status) || tries === maxTries) throw error
      await pause((error.retryAfterS ?? 2 ** (tries - 1)) * 1000, signal)
    }
  }
}

function isPassing(status: number): boolean {
  return (
    status === 0 || status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507)
  )
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
