import { streamSSE } from 'hono/streaming'
import type { RepoType } from '../../../shared/vocabulary.ts'
import type { Actor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { audit } from '../events/index.ts'
import { time, z } from '../http/contract.ts'
import { openCursor, sealCursor } from '../http/cursor.ts'
import type { App } from '../http/env.ts'
import { cancelJob } from './cancel.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { JobEnded } from './ended.ts'
import { getJob, listJobs, type Job } from './find.ts'
import type { JobKind } from './kind.ts'
import { readJobLog } from './log/read.ts'
import { retryEntry, retryJob } from './retry.ts'
import * as routes from './routes.ts'
import { viewJob } from './view.ts'
import { watchJob } from './watch.ts'

/** A repo written as `models/ns/name`. */
function repoNamed(text: string): { type: RepoType; ns: string; name: string } {
  const [type, ns = '', name = ''] = text.split('/')
  return { type: type === 'datasets' ? 'dataset' : 'model', ns, name }
}

interface JobOptions {
  /** What this server can run. */
  kinds: readonly JobKind[]
  ended?: JobEnded
  /** The caller as they are now: a long watch outlives rights. */
  actorNow: (ctx: Ctx) => Promise<Actor>
}

/** The operations on jobs of the kinds this server runs. */
export const mountJobs =
  ({ kinds, ended, actorNow }: JobOptions) =>
  (app: App): void => {
    const detailsOf = async (ctx: Ctx, job: Job) =>
      (await kinds.find(({ kind }) => kind === job.kind)?.details?.(ctx, job.id)) ?? {}

    app.openapi(routes.listJobs, async (c) => {
      const { ctx } = c.var
      const { cursor, limit, repo, ...rest } = c.req.valid('query')
      const filters = { ...rest, repo: repo === undefined ? undefined : repoNamed(repo) }
      const list = JSON.stringify(['listJobs', filters, ctx.actor.kind === 'user' && ctx.actor.id])
      const { items, next } = await listJobs(ctx, filters, {
        after: openCursor(ctx, list, cursor, z.string()),
        limit,
      })
      const views = await Promise.all(items.map((job) => viewJob(ctx, kinds, job)))
      return c.json({ items: views, next_cursor: sealCursor(ctx, list, next) }, 200)
    })

    app.openapi(routes.getJob, async (c) => {
      const job = await getJob(c.var.ctx, c.req.valid('param').id)
      return c.json(await viewJob(c.var.ctx, kinds, job), 200)
    })

    app.openapi(routes.cancelJob, async (c) => {
      const job = await cancelJob(c.var.ctx, c.req.valid('param').id, ended)
      return c.json(await viewJob(c.var.ctx, kinds, job), 200)
    })

    app.openapi(routes.retryJob, async (c) => {
      const { ctx } = c.var
      const job = await retryJob(ctx, kinds, c.req.valid('param').id, (tx, retried) =>
        audit(tx, ctx, retryEntry(retried)),
      )
      return c.json(await viewJob(ctx, kinds, job), 202, {
        Location: c.req.path.replace(/\/retry$/, ''),
      })
    })

    app.openapi(routes.getJobLog, async (c) => {
      const { ctx } = c.var
      const { id } = c.req.valid('param')
      const { cursor, limit, after } = c.req.valid('query')
      const list = JSON.stringify(['getJobLog', id])
      const from = openCursor(ctx, list, cursor, z.int())
      const { items, next } = await readJobLog(ctx, id, { after: from ?? after, limit })
      const views = items.map((line) => ({ ...line, at: time(line.at) }))
      return c.json({ items: views, next_cursor: sealCursor(ctx, list, next) }, 200)
    })

    app.openapi(routes.watchJob, async (c) => {
      const { ctx } = c.var
      const { id } = c.req.valid('param')
      // Decided before the answer begins, so that what is hidden is a 404.
      await getJob(ctx, id)
      c.header('X-Accel-Buffering', 'no')
      return streamSSE(c, async (stream) => {
        const ended = new AbortController()
        stream.onAbort(() => ended.abort())
        try {
          const watching = { callerNow: () => actorNow(ctx), detailsOf: (job: Job) => detailsOf(ctx, job) }
          for await (const seen of watchJob(ctx, id, ended.signal, watching))
            if (seen) {
              const data = { ...(await viewJob(ctx, kinds, seen.job)), ...seen.details }
              await stream.writeSSE({ event: 'job', data: JSON.stringify(data) })
            } else await stream.write(': still here\n\n')
        } catch (error) {
          // A caller who may not see it any more learns that when they ask again.
          if (!(error instanceof Problem)) throw error
        }
      })
    })
  }
