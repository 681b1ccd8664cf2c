import { Problem } from '../../platform/problems/index.ts'
import { Interruption, mayPass, problemOf, waitMs } from './failure.ts'
import type { JobRow } from './queries.ts'

type Change = Partial<JobRow>

/** Back to the queue. */
export const queuedAt = (runAfter: Date): Change => ({
  status: 'queued',
  run_after: runAfter,
  lease_until: null,
  worker: null,
})

/** Over; an equal job may be queued from now on. */
export const ended = (
  status: 'succeeded' | 'failed' | 'cancelled',
  now: Date,
  more: Change = {},
): Change => ({
  status,
  finished_at: now,
  active_key: null,
  lease_until: null,
  worker: null,
  ...more,
})

/** Returned to the queue by a process that stops: that costs no attempt, though the fencing token stays raised. */
export const released = (job: JobRow, now: Date): Change => ({
  ...queuedAt(now),
  max_attempts: job.max_attempts + 1,
})

/** What becomes of a job whose run threw; nothing when the job is no longer this attempt's to change. */
export function afterFailure(
  job: JobRow,
  error: unknown,
  signal: AbortSignal,
  now: Date,
): Change | undefined {
  const reason: unknown = signal.aborted ? signal.reason : undefined
  if (reason instanceof Interruption) {
    if (reason.why === 'lease-lost') return undefined
    return reason.why === 'stopping' ? released(job, now) : ended('cancelled', now)
  }
  if (mayPass(error) && job.attempt < job.max_attempts)
    return { ...queuedAt(new Date(now.getTime() + waitMs(error, job.attempt))), problem: problemOf(error) }
  return ended('failed', now, { problem: problemOf(error) })
}

/** What becomes of a running job whose worker fell silent. */
export function afterLapse(job: JobRow, now: Date): Change {
  if (job.cancel_requested) return ended('cancelled', now)
  if (job.attempt < job.max_attempts) return queuedAt(now)
  const gone = new Problem('temporarily-unavailable', { detail: 'Its worker stopped before it was done.' })
  return ended('failed', now, { problem: problemOf(gone) })
}
