import type { JobRow } from '../queries.ts'

export const STOPPING = 'The server is stopping.'
export const LAPSED = 'The worker fell silent and lost the job.'

/** The first line of an attempt. Of the worker it has the end of its name alone: the rest is the name of a machine. */
export const startLine = ({ attempt, max_attempts, worker }: JobRow): string =>
  `Attempt ${attempt} of ${max_attempts} began on worker ${(worker ?? '').slice(-8)}.`

/** What the log says of the end of an attempt; nothing where the change is none. */
export function outcomeLine(
  { attempt, started_at }: Pick<JobRow, 'attempt' | 'started_at'>,
  { status, problem, run_after }: Partial<JobRow>,
  now: Date,
): string[] {
  const after = started_at ? ` after ${seconds(now.getTime() - started_at.getTime())}` : ''
  const why = problem ? ` (${problem.code}): ${problem.message}` : '.'
  if (status === 'succeeded') return [`Succeeded${after}.`]
  if (status === 'failed') return [`Failed${after}${why}`]
  if (status === 'cancelled') return [`Cancelled${after}.`]
  if (status !== 'queued') return []
  const wait = run_after ? run_after.getTime() - now.getTime() : 0
  const next = wait > 0 ? `Next attempt in ${seconds(wait)}.` : 'Back in the queue.'
  return problem ? [`Attempt ${attempt} failed${after}${why}`, next] : [next]
}

function seconds(ms: number): string {
  const s = Math.max(0, ms) / 1000
  return `${s < 10 ? Math.round(s * 10) / 10 : Math.round(s)} s`
}
