import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { getJob } from '../../core/jobs/index.ts'
import { viewJob } from '../../core/jobs/view.ts'
import { datasetCompare, getDataChanges, queueDataChanges } from './changes/job.ts'
import { checkRevision } from '../content/index.ts'
import { createExport, datasetExport } from './download/job.ts'
import { describeDataset } from './describe.ts'
import * as routes from './routes.ts'
import { viewChanges, viewConfigs } from './view.ts'

/** What is known of the data of datasets. */
export function mountDatasets(app: App): void {
  app.openapi(routes.getDatasetConfigs, async (c) => {
    const address = { type: 'dataset' as const, ...c.req.valid('param') }
    return c.json(viewConfigs(await describeDataset(c.var.ctx, address, c.req.valid('query').rev)), 200)
  })

  app.openapi(routes.createDatasetExport, async (c) => {
    const { ctx } = c.var
    const address = { type: 'dataset' as const, ...c.req.valid('param') }
    const queued = await createExport(ctx, address, c.req.valid('json'))
    const job = await viewJob(ctx, [datasetExport], await getJob(ctx, queued.id))
    return c.json(job, 202, { Location: `${nativeBase}/jobs/${job.id}` })
  })

  app.openapi(routes.getDataChanges, async (c) => {
    const { ctx } = c.var
    const asked = c.req.valid('query')
    for (const revision of [asked.base, asked.head]) checkRevision(revision)
    const address = { type: 'dataset' as const, ...c.req.valid('param') }
    return c.json(viewChanges(await getDataChanges(ctx, address, asked)), 200)
  })

  app.openapi(routes.compareData, async (c) => {
    const { ctx } = c.var
    const asked = c.req.valid('query')
    for (const revision of [asked.base, asked.head]) checkRevision(revision)
    const address = { type: 'dataset' as const, ...c.req.valid('param') }
    const queued = await queueDataChanges(ctx, address, asked)
    const job = await viewJob(ctx, [datasetCompare], await getJob(ctx, queued.id))
    return c.json(job, 202, { Location: `${nativeBase}/jobs/${job.id}` })
  })
}
