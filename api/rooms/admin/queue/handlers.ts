import { time } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import type { FailedKind, JobKind } from '../../../core/jobs/index.ts'
import { getQueue, retryFailedJobs } from './queue.ts'
import * as routes from './routes.ts'

const viewKind = ({ kind, count, newest: { id, title, finished_at, problem } }: FailedKind) => ({
  kind,
  count,
  newest: { id, title, ...(finished_at && { finished_at: time(finished_at) }), ...(problem && { problem }) },
})

/** The operations on the queue of jobs as a whole; `kinds` are those this server does. */
export function mountQueue(app: App, kinds: readonly JobKind[]): void {
  app.openapi(routes.getQueue, async (c) => {
    const queue = await getQueue(c.var.ctx)
    return c.json(
      {
        due: queue.queued,
        running: queue.running,
        age_seconds: Math.round(queue.ageMs / 1000),
        failed_24h: queue.failed,
        failed: queue.kinds.map(viewKind),
      },
      200,
    )
  })

  app.openapi(routes.retryFailedJobs, async (c) =>
    c.json(await retryFailedJobs(c.var.ctx, kinds, c.req.valid('json').kind), 200),
  )
}
