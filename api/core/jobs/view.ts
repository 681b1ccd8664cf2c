import type { z } from '@hono/zod-openapi'
import type { Ctx } from '../ctx.ts'
import { optionalTime, time } from '../http/contract.ts'
import type { Job } from './find.ts'
import type { JobKind } from './kind.ts'
import type { Job as JobSchema } from './routes.ts'

type View = z.output<typeof JobSchema>

/** A job as the API shows it; a result that holds a link gets one made for this caller. */
export async function viewJob(ctx: Ctx, kinds: readonly JobKind[], job: Job): Promise<View> {
  const { result, problem } = job
  const present = result && kinds.find((kind) => kind.kind === job.kind)?.present
  const shown = present ? await present(ctx, { id: job.id, input: job.input, result }) : result
  return {
    id: job.id,
    kind: job.kind,
    status: job.status,
    title: job.title,
    ...(job.repo ? { repo: job.repo } : {}),
    ...(job.creator === null ? {} : { created_by: job.creator }),
    created_at: time(job.created_at),
    ...given('started_at', optionalTime(job.started_at)),
    ...given('finished_at', optionalTime(job.finished_at)),
    attempts: job.attempt,
    max_attempts: job.max_attempts,
    ...(job.status === 'queued' && job.run_after > ctx.now() ? { run_after: time(job.run_after) } : {}),
    progress: progressOf(job, ctx.now()),
    log_lines: job.log_lines,
    ...(shown ? { result: shown } : {}),
    ...(problem ? { problem } : {}),
  }
}

const given = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, string>)

function progressOf(job: Job, now: Date): View['progress'] {
  const { progress_done: done, progress_total: total, progress_unit: unit, started_at, finished_at } = job
  const progress = { done, ...(total === null ? {} : { total }), unit }
  const seconds = started_at ? ((finished_at ?? now).getTime() - started_at.getTime()) / 1000 : 0
  if (done === 0 || seconds <= 0) return progress
  const rate = done / seconds
  if (total === null || job.status !== 'running') return { ...progress, rate }
  return { ...progress, rate, eta_seconds: Math.ceil(Math.max(0, total - done) / rate) }
}
