import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { getJob } from '../../core/jobs/index.ts'
import { viewJob } from '../../core/jobs/view.ts'
import { checkAddressPath, checkRevision } from '../content/index.ts'
import { addressOf } from '../repos/view.ts'
import { getComparison, queueComparison } from './compare/compare-job.ts'
import { getFileHeader } from './header/file-header.ts'
import * as routes from './routes.ts'
import { comparisonView, fileHeaderView } from './view.ts'

const Position = z.strictObject({ commit: z.string(), at: z.int() })

/** The operations on what files say of themselves. */
export function mountFacts(app: App): void {
  app.openapi(routes.getFileHeader, async (c) => {
    const { ctx } = c.var
    const params = c.req.valid('param')
    const { rev, path, ...address } = params
    checkRevision(rev)
    checkAddressPath(path)
    const { cursor, limit } = c.req.valid('query')
    const list = JSON.stringify(['getFileHeader', params])
    const from = openCursor(ctx, list, cursor, Position)
    const page = await getFileHeader(ctx, addressOf(address), { revision: rev, path, from, limit })
    return c.json(fileHeaderView(page, sealCursor(ctx, list, page.next)), 200)
  })

  app.openapi(routes.getTensorComparison, async (c) => {
    const asked = sidesOf(c.req.valid('query'))
    const found = await getComparison(c.var.ctx, addressOf(c.req.valid('param')), asked)
    return c.json(comparisonView(found), 200)
  })

  app.openapi(routes.compareTensors, async (c) => {
    const { ctx } = c.var
    const asked = sidesOf(c.req.valid('query'))
    const { id } = await queueComparison(ctx, addressOf(c.req.valid('param')), asked)
    const job = await viewJob(ctx, [], await getJob(ctx, id))
    return c.json(job, 202, { Location: `${nativeBase}/jobs/${id}` })
  })
}

function sidesOf(query: { old: string; new: string; path: string; old_path?: string | undefined }) {
  const { path, old_path: oldPath = path } = query
  for (const revision of [query.old, query.new]) checkRevision(revision)
  for (const each of [path, oldPath]) checkAddressPath(each)
  return { old: { commit: query.old, path: oldPath }, new: { commit: query.new, path } }
}
