import type { App } from '../../core/http/env.ts'
import { addressOf } from '../repos/view.ts'
import { listDependencies } from './dependencies.ts'
import { describeRevision } from './metadata.ts'
import * as routes from './routes.ts'
import { viewDependencies, viewMetadata } from './view.ts'

/** What is known of the contents of repos. */
export function mountIndexing(app: App): void {
  app.openapi(routes.getMetadata, async (c) => {
    const { rev } = c.req.valid('query')
    const found = await describeRevision(c.var.ctx, addressOf(c.req.valid('param')), rev)
    return c.json(viewMetadata(found), 200)
  })

  app.openapi(routes.getDependencies, async (c) => {
    const found = await listDependencies(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json(viewDependencies(found), 200)
  })
}
