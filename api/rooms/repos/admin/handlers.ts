import type { App } from '../../../core/http/env.ts'
import * as routes from './routes.ts'
import { disableRepo } from '../lifecycle/disable.ts'
import { viewRepo } from '../view.ts'

/** What instance admins do to repos. */
export function mountRepoAdmin(app: App): void {
  app.openapi(routes.updateRepoAsAdmin, async (c) => {
    const { ctx } = c.var
    const repo = await disableRepo(ctx, c.req.valid('param').id, c.req.valid('json'))
    return c.json(await viewRepo(ctx, repo), 200)
  })
}
