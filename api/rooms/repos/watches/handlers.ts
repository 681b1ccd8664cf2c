import { time, z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { addressOf } from '../view.ts'
import { listWatchedRepos } from './list.ts'
import * as routes from './routes.ts'
import { getWatch, unwatchRepo, watchRepo } from './watch.ts'

const Position = z.strictObject({ at: z.number(), id: z.string() })

/** The operations on which news of repos a person wants. */
export function mountWatches(app: App): void {
  app.openapi(routes.getWatch, async (c) => {
    const level = await getWatch(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json({ level }, 200)
  })

  app.openapi(routes.watchRepo, async (c) => {
    const { level } = c.req.valid('json')
    await watchRepo(c.var.ctx, addressOf(c.req.valid('param')), level)
    return c.json({ level }, 200)
  })

  app.openapi(routes.unwatchRepo, async (c) => {
    await unwatchRepo(c.var.ctx, addressOf(c.req.valid('param')))
    return c.body(null, 204)
  })

  app.openapi(routes.listWatchedRepos, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const list = 'listWatchedRepos'
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listWatchedRepos(ctx, { after, limit })
    const shown = items.map(({ repo, level, watchedAt }) => ({ repo, level, watched_at: time(watchedAt) }))
    return c.json({ items: shown, next_cursor: sealCursor(ctx, list, next) }, 200)
  })
}
