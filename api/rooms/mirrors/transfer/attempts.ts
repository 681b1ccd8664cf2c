import { setTimeout as pause } from 'node:timers/promises'
import { OutboundError } from '../../../platform/net/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

export const ATTEMPTS = 5
const FIRST_PAUSE_MS = 500

/** An address that requests may not go to stays one. */
const isRefusal = ({ cause }: Problem) =>
  cause instanceof OutboundError && ['blocked', 'invalid-url', 'redirect'].includes(cause.fault)

/** Whether another attempt may help: networks and stores lose things; what is refused, or wants a pause, is final. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof Problem) || (error.code === 'upstream-unavailable' && !isRefusal(error))

/** Waits before the attempt after the `n`-th one. */
export const backOff = (n: number, signal: AbortSignal): Promise<void> =>
  pause(FIRST_PAUSE_MS * 2 ** (n - 1) * (0.5 + Math.random()), undefined, { signal })

/** Tries again what networks and stores lose; what is refused, or wants a pause, is left to the job. */
export async function attempts<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error) || attempt === ATTEMPTS) throw error
      await backOff(attempt, signal)
    }
  }
}
