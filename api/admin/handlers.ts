import type { App } from '../http/env.ts'
import { getOverview } from './overview.ts'
import * as routes from './routes.ts'
import { viewOverview } from './view.ts'

/** The operations of instance admins. */
export function mountAdmin(app: App): void {
  app.openapi(routes.getAdminOverview, async (c) => c.json(viewOverview(await getOverview(c.var.ctx)), 200))
}
