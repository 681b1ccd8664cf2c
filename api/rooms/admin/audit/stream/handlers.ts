import type { App } from '../../../../core/http/env.ts'
import * as routes from './routes.ts'
import { deleteStream, getStream, setStream } from './settings.ts'
import { testStream } from './test-stream.ts'
import { viewStream, viewTest } from './view.ts'

/** The operations on the stream of the audit log. */
export function mountAuditStream(app: App): void {
  app.openapi(routes.getAuditStream, async (c) => c.json(viewStream(await getStream(c.var.ctx)), 200))

  app.openapi(routes.setAuditStream, async (c) => {
    const { from_start, ...wanted } = c.req.valid('json')
    return c.json(viewStream(await setStream(c.var.ctx, { ...wanted, fromStart: from_start })), 200)
  })

  app.openapi(routes.deleteAuditStream, async (c) => {
    await deleteStream(c.var.ctx)
    return c.body(null, 204)
  })

  app.openapi(routes.testAuditStream, async (c) => c.json(viewTest(await testStream(c.var.ctx)), 200))
}
