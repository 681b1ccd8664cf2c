import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { mountFeed } from './feed/handlers.ts'
import { listUserActivity } from './list.ts'
import * as routes from './routes.ts'
import { viewActivity } from './view.ts'

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
}
