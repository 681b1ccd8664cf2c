import { z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { listFeed } from './list.ts'
import * as routes from './routes.ts'
import { viewFeedEntry } from './view.ts'

const Position = z.strictObject({ at: z.number(), id: z.string() })

/** What is new by those that one follows, and where one takes part. */
export function mountFeed(app: App): void {
  app.openapi(routes.getFeed, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const after = openCursor(ctx, 'getFeed', cursor, Position)
    const { items, next } = await listFeed(ctx, { after, limit })
    return c.json({ items: items.map(viewFeedEntry), next_cursor: sealCursor(ctx, 'getFeed', next) }, 200)
  })
}
