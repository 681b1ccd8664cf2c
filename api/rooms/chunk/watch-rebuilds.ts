import { eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { catalogue, Problem, type ProblemCode } from '../../platform/problems/index.ts'
import { isWorkedOn } from './queries.ts'
import { inBatches } from '../../stores/db/index.ts'

/** How far the files of a shard have been put together. */
export interface RebuildProgress {
  verifiedBytes: number
  totalBytes: number
}

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 250

/** The watches of this process that pause now. */
const pausing = new Set<() => void>()

/** Files were recorded: watches of this process look at once, those of others after their pause. */
export function tellWatchers(): void {
  for (const wake of pausing) wake()
}

/** Resolves after `ms` or when there may be something new; rejects when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const end = (act: () => void) => () => {
      clearTimeout(timer)
      pausing.delete(wake)
      signal.removeEventListener('abort', abort)
      act()
    }
    const wake = end(resolve)
    const abort = end(() => reject(signal.reason))
    const timer = setTimeout(wake, ms)
    pausing.add(wake)
    signal.addEventListener('abort', abort)
  })
}

/**
 * Looks at rebuilds of one user until none is left, wherever they run. Yields at once and whenever something was done;
 * throws the Problem of the first that failed, and that of a job that has ended without them: `state-conflict` when it
 * was cancelled, `temporarily-unavailable` when the content is to be sent again.
 */
export async function* watchRebuilds(
  ctx: Pick<Ctx, 'db'>,
  rebuilds: { id: string; sizeBytes: number }[],
  signal: AbortSignal,
): AsyncGenerator<RebuildProgress> {
  const totalBytes = rebuilds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let remaining = rebuilds.map(({ id }) => id)
  let shown = -1
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const rows = await statesOf(ctx, remaining)
    for (const { problem, status, jobProblem } of rows) {
      if (problem) throw new Problem(problem.code as ProblemCode, { detail: problem.message })
      if (isWorkedOn(status)) continue
      throw status === 'cancelled' ? cancelled() : endOf(jobProblem)
    }
    remaining = rows.map(({ id }) => id)
    const restBytes = rows.reduce((sum, { size }) => sum + size, 0)
    const begun = new Map(rows.map(({ jobId, done }) => [jobId, done ?? 0]))
    const doneBytes = [...begun.values()].reduce((sum, done) => sum + done, 0)
    // An estimate within a file, since the job may be at work on one of another shard.
    const estimate = Math.max(totalBytes - restBytes, Math.min(doneBytes, totalBytes))
    // A job that begins again counts from nothing.
    const verifiedBytes = Math.max(shown, estimate)
    if (verifiedBytes !== shown) yield { verifiedBytes, totalBytes }
    shown = verifiedBytes
    if (remaining.length === 0) return
    await pause(pauseMs, signal)
  }
}

/** What a job that gave up means: only a failure that may pass is one to send the upload again for. */
function endOf(problem: { code: string } | null): Problem {
  const code = problem?.code as ProblemCode | undefined
  if (code === 'storage-full') return new Problem(code)
  if (code !== undefined && catalogue[code]?.status === 503) return notNow()
  return new Problem('internal', {
    detail: "The files of this upload could not be put together; the server's log tells why.",
  })
}

/** What is sent again begins a job of its own. */
const notNow = () =>
  new Problem('temporarily-unavailable', {
    detail: 'The files of this upload could not be put together now; send it again.',
    retryAfterS: 5,
  })

const cancelled = () =>
  new Problem('state-conflict', {
    detail: 'The job that put the files of this upload together was cancelled.',
  })

function statesOf({ db: { q, t } }: Pick<Ctx, 'db'>, ids: string[]) {
  const { chunk_rebuilds: r, jobs } = t
  return inBatches(ids, (some) =>
    q
      .select({
        id: r.id,
        size: r.size,
        problem: r.problem,
        status: jobs.status,
        jobId: r.job_id,
        jobProblem: jobs.problem,
        done: jobs.progress_done,
      })
      .from(r)
      .leftJoin(jobs, eq(jobs.id, r.job_id))
      .where(inArray(r.id, some)),
  )
}
