import type { App } from '../../core/http/env.ts'
import { addressOf } from '../repos/view.ts'
import { listQuants } from './list-quants.ts'
import * as routes from './routes.ts'
import { viewQuant } from './view.ts'

/** The operation on the quants of a repo. */
export function mountQuants(app: App): void {
  app.openapi(routes.listQuants, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c.req.valid('param'))
    const groups = await listQuants(ctx, address, c.req.valid('query').rev)
    return c.json(
      {
        groups: groups.map((group) => viewQuant(group, ctx.config.server.public_url, address)),
      },
      200,
    )
  })
}
