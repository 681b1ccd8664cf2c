import { eq } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../ctx.ts'
import { Problem, type ProblemCode } from '../../platform/problems/index.ts'
import type { JobRow } from './queries.ts'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 250
/** Node's fetch fails after 300 s without headers (hub-wire.md §7.2). */
const MAX_WAIT_MS = 240_000

/**
 * Waits for a job that a caller is answered by, up to `maxMs` and four minutes at most, and answers it once it has succeeded.
 * Throws the Problem it failed with; `state-conflict` when somebody cancelled it; `temporarily-unavailable` when it has not
 * ended by then or the server stops: the same request then finds it again.
 */
export async function untilEnded(
  ctx: Pick<Ctx, 'db' | 'stopping'>,
  id: string,
  maxMs = MAX_WAIT_MS,
): Promise<JobRow> {
  const { jobs } = ctx.db.t
  const deadline = performance.now() + Math.min(maxMs, MAX_WAIT_MS)
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const [job] = await ctx.db.q.select().from(jobs).where(eq(jobs.id, id))
    if (!job) throw new Problem('not-found', { detail: 'There is no such job.' })
    if (job.status === 'succeeded') return job
    if (job.status === 'failed') throw failureOf(job)
    if (job.status === 'cancelled')
      throw new Problem('state-conflict', {
        detail: `The job "${job.title}" was cancelled before it was done.`,
      })
    if (performance.now() >= deadline || ctx.stopping.aborted)
      throw new Problem('temporarily-unavailable', {
        detail: `The job "${job.title}" is still under way. Send the same request again, or watch it at /jobs/${id}.`,
        retryAfterS: 10,
      })
    await pause(pauseMs)
  }
}

function failureOf({ problem, title }: JobRow): Problem {
  if (!problem)
    return new Problem('internal', { cause: new Error(`the job "${title}" failed without a reason`) })
  return new Problem(problem.code as ProblemCode, { detail: problem.message })
}
