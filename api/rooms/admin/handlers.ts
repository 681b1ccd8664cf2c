import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { listQuotas, setQuota } from '../namespaces/index.ts'
import type { JobEnded, JobKind, Schedule } from '../../core/jobs/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { mountAudit } from './audit/handlers.ts'
import { mountLook } from './look/handlers.ts'
import { mountOrgs } from './orgs/handlers.ts'
import { mountQueue } from './queue/handlers.ts'
import { mountConfig } from './config/handlers.ts'
import { mountSchedules } from './schedules/handlers.ts'
import { mountStorage } from './storage/handlers.ts'
import { mountUsers } from './users/handlers.ts'
import { mountPolicies } from './policies/handlers.ts'
import { mountUpkeep } from './upkeep/handlers.ts'
import { getOverview } from './overview.ts'
import * as routes from './routes.ts'
import { viewOverview, viewQuota } from './view.ts'

interface AdminOptions {
  /** Hears of the jobs that end with their user's account. */
  ended: JobEnded
  /** What this server can run. */
  kinds: readonly JobKind[]
  /** What recurs on it. */
  schedules: (config: Config) => readonly Schedule[]
}

/** The operations of instance admins. */
export const mountAdmin =
  ({ ended, kinds, schedules }: AdminOptions) =>
  (app: App): void => {
    mountUsers(app, ended)
    mountOrgs(app)
    mountAudit(app)
    mountPolicies(app)
    mountLook(app)
    mountUpkeep(app)
    mountQueue(app, kinds)
    mountSchedules(app, schedules)
    mountConfig(app)
    mountStorage(app)
    app.openapi(routes.getAdminOverview, async (c) => c.json(viewOverview(await getOverview(c.var.ctx)), 200))

    app.openapi(routes.listQuotas, async (c) => {
      const { ctx } = c.var
      const { cursor, limit } = c.req.valid('query')
      const after = openCursor(ctx, 'listQuotas', cursor, z.string())
      const { items, next } = await listQuotas(ctx, { after, limit })
      return c.json({ items: items.map(viewQuota), next_cursor: sealCursor(ctx, 'listQuotas', next) }, 200)
    })

    app.openapi(routes.updateQuota, async (c) => {
      const { ns, quota_bytes } = c.req.valid('json')
      return c.json(viewQuota(await setQuota(c.var.ctx, ns, quota_bytes)), 200)
    })
  }
