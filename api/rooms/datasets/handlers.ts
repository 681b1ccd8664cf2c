import type { App } from '../../core/http/env.ts'
import { describeDataset } from './describe.ts'
import * as routes from './routes.ts'
import { viewConfigs } from './view.ts'

/** What is known of the data of datasets. */
export function mountDatasets(app: App): void {
  app.openapi(routes.getDatasetConfigs, async (c) => {
    const address = { type: 'dataset' as const, ...c.req.valid('param') }
    return c.json(viewConfigs(await describeDataset(c.var.ctx, address, c.req.valid('query').rev)), 200)
  })
}
