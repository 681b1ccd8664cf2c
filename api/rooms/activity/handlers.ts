import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { countActivityDays } from './days.ts'
import { mountFeed } from './feed/handlers.ts'
import { listUserActivity } from './list.ts'
import * as routes from './routes.ts'
import { viewActivity, viewActivityDays } from './view.ts'

/** What people did, for their profiles and for those who follow them. */
export function mountActivity(app: App): void {
  mountFeed(app)
  app.openapi(routes.listUserActivity, async (c) => {
    const { ctx } = c.var
    const { user } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = `listUserActivity ${user.toLowerCase()}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listUserActivity(ctx, user, { after, limit })
    return c.json({ items: items.map(viewActivity), next_cursor: sealCursor(ctx, list, next) }, 200)
  })
  app.openapi(routes.getUserActivityDays, async (c) =>
    c.json(viewActivityDays(await countActivityDays(c.var.ctx, c.req.valid('param').user)), 200),
  )
}
