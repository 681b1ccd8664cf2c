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

/** A job that has changed, with what its kind tells beside it. */
export interface Watched {
  job: Job
  details: Record<string, unknown>
}

interface Watching {
  /** Throws when the caller is not let in any more. */
  callerNow?: () => Promise<Actor>
  detailsOf?: (job: Job) => Promise<Record<string, unknown>>
}

/**
 * The job now and after each change, until it has ended, the caller leaves or may no longer see it, the server stops, or
 * 15 minutes have passed. `undefined` stands for 15 s without a change.
 */
export async function* watchJob(
  ctx: Ctx,
  id: string,
  signal: AbortSignal,
  { callerNow = async () => ctx.actor, detailsOf = async () => ({}) }: Watching = {},
): AsyncGenerator<Watched | undefined> {
  const startedAt = performance.now()
  let spokeAt = startedAt
  let shown = ''
  while (!signal.aborted && !ctx.stopping.aborted && performance.now() - startedAt < longestMs) {
    const job = await getJob({ ...ctx, actor: await callerNow() }, id)
    const details = await detailsOf(job)
    const { status, attempt, progress_done, progress_total, title, log_lines } = job
    const state = JSON.stringify([status, attempt, progress_done, progress_total, title, log_lines, details])
    const isChanged = state !== shown
    if (isChanged || performance.now() - spokeAt > heartbeatMs) {
      spokeAt = performance.now()
      shown = state
      yield isChanged ? { job, details } : undefined
    }
    if (over.has(job.status)) return
    await pause(pollMs, signal)
  }
}
