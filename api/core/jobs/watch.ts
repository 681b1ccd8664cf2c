import type { Actor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { getJob, type Job } from './find.ts'

const pollMs = 500
// Proxies close what is silent for a minute.
const heartbeatMs = 15_000
// Then the client connects again, with credentials that are checked again.
const longestMs = 15 * 60_000

const over = new Set(['succeeded', 'failed', 'cancelled'])

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

/**
 * The job now and after each change, until it has ended, the caller leaves or may no longer see it, the server stops, or
 * 15 minutes have passed. `callerNow` throws when the caller is not let in any more. `undefined` stands for 15 s without a change.
 */
export async function* watchJob(
  ctx: Ctx,
  id: string,
  signal: AbortSignal,
  callerNow: () => Promise<Actor> = async () => ctx.actor,
): AsyncGenerator<Job | undefined> {
  const startedAt = performance.now()
  let spokeAt = startedAt
  let shown = ''
  while (!signal.aborted && !ctx.stopping.aborted && performance.now() - startedAt < longestMs) {
    const job = await getJob({ ...ctx, actor: await callerNow() }, id)
    const state = JSON.stringify([job.status, job.attempt, job.progress_done, job.progress_total, job.title])
    const isChanged = state !== shown
    if (isChanged || performance.now() - spokeAt > heartbeatMs) {
      spokeAt = performance.now()
      shown = state
      yield isChanged ? job : undefined
    }
    if (over.has(job.status)) return
    await pause(pollMs, signal)
  }
}
