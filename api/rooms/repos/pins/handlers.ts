import type { App } from '../../../core/http/env.ts'
import { viewRepos } from '../view.ts'
import { listPins, setPins } from './pins.ts'
import * as routes from './routes.ts'

/** The operations on the repos that a namespace shows first. */
export function mountPins(app: App): void {
  app.openapi(routes.listPinnedRepos, async (c) => {
    const { ctx } = c.var
    return c.json({ items: await viewRepos(ctx, await listPins(ctx, c.req.valid('param').ns)) }, 200)
  })

  app.openapi(routes.setPinnedRepos, async (c) => {
    const { ctx } = c.var
    const pinned = await setPins(ctx, c.req.valid('param').ns, c.req.valid('json').repos)
    return c.json({ items: await viewRepos(ctx, pinned) }, 200)
  })
}
