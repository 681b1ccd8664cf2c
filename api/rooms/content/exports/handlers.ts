import { sendBlob } from '../../../core/http/bytes.ts'
import { storeUrlFor } from '../../../core/http/store-url.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { contentPolicy } from '../../../core/http/security-headers.ts'
import { getJob } from '../../../core/jobs/index.ts'
import { viewJob } from '../../../core/jobs/view.ts'
import { addressOf } from '../../repos/view.ts'
import { openExport } from './open-export.ts'
import { checkAddressPath, checkRevision } from '../read/revision.ts'
import * as routes from '../routes.ts'
import { createZip, zipExport } from './zip.ts'

/** Archives: asking for one, and fetching it. */
export function mountZip(app: App): void {
  app.openapi(routes.createZip, async (c) => {
    const { ctx } = c.var
    const { rev, path } = c.req.valid('query')
    if (rev !== undefined) checkRevision(rev)
    if (path !== undefined) checkAddressPath(path)
    const queued = await createZip(ctx, addressOf(c.req.valid('param')), {
      ...(rev === undefined ? {} : { revision: rev }),
      ...(path === undefined ? {} : { path }),
    })
    const job = await viewJob(ctx, [zipExport], await getJob(ctx, queued.id))
    return c.json(job, 202, { Location: `${nativeBase}/jobs/${job.id}` })
  })

  app.openapi(routes.downloadExport, async (c) => {
    const { fileName, mediaType, sizeBytes, storedKey, open } = await openExport(
      c.var.ctx,
      c.req.valid('param').id,
      c.req.url,
    )
    c.header('Content-Security-Policy', contentPolicy)
    const headers = {
      'Content-Type': mediaType,
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'private, no-store',
    }
    const location = await storeUrlFor(c, storedKey, headers)
    const answer: unknown = location
      ? c.redirect(location, 302)
      : await sendBlob(c, { sizeBytes, headers, open })
    // The contract knows bodies of JSON and text; these are bytes.
    return answer as never
  })
}
