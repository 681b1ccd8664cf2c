import { time } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import type { Schedule } from '../../../core/jobs/index.ts'
import { viewJob } from '../../../core/jobs/view.ts'
import type { Config } from '../../../platform/config/index.ts'
import * as routes from './routes.ts'
import { listSchedules, runSchedule, type ScheduledTask } from './schedules.ts'

const viewTask = ({ kind, title, cron, nextAt, newest }: ScheduledTask) => ({
  kind,
  title,
  cron,
  ...(nextAt && { next_at: time(nextAt) }),
  ...(newest && {
    newest: { job_id: newest.id, status: newest.status, created_at: time(newest.created_at) },
  }),
})

/** The operations on tasks that recur; `schedulesOf` names those of this server. */
export function mountSchedules(app: App, schedulesOf: (config: Config) => readonly Schedule[]): void {
  app.openapi(routes.listSchedules, async (c) => {
    const { ctx } = c.var
    const tasks = await listSchedules(ctx, schedulesOf(ctx.config))
    return c.json({ items: tasks.map(viewTask) }, 200)
  })

  app.openapi(routes.runSchedule, async (c) => {
    const { ctx } = c.var
    const job = await runSchedule(ctx, schedulesOf(ctx.config), c.req.valid('param').kind)
    return c.json(await viewJob(ctx, [], job), 202)
  })
}
