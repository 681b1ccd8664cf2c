import { Readable } from 'node:stream'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import { auditLine, exportAudit, listAudit, parseSeal, verifyAudit } from '../../../core/events/index.ts'
import { z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import * as routes from './routes.ts'
import { mountAuditStream } from './stream/handlers.ts'
import { viewChain, viewEvent } from './view.ts'

/** One check of the whole chain at a time: it reads every row. */
const checks = new Limiter({ atOnce: 1, maxWaiting: 4 })

/** The audit: a page of it, all of it as lines of JSON, whether its chain is whole, and where it is sent. */
export function mountAudit(app: App): void {
  app.openapi(routes.listAudit, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, ...filter } = c.req.valid('query')
    const list = `listAudit ${JSON.stringify(filter)}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listAudit(ctx, filter, { after, limit })
    return c.json({ items: items.map(viewEvent), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.exportAudit, (c) => {
    const { ctx } = c.var
    // Decided before the answer begins.
    requireInstanceAdmin(ctx.actor)
    const filter = c.req.valid('query')
    async function* lines() {
      for await (const rows of exportAudit(ctx, filter)) yield Buffer.from(rows.map(auditLine).join(''))
    }
    const body = Readable.toWeb(Readable.from(lines(), { objectMode: true, highWaterMark: 1 }))
    c.header('Content-Type', 'application/jsonl; charset=utf-8')
    c.header('Content-Disposition', 'attachment; filename="audit.jsonl"')
    return c.body(body as ReadableStream, 200) as never
  })

  app.openapi(routes.getAuditChain, async (c) => {
    const { ctx } = c.var
    const { id } = requireInstanceAdmin(ctx.actor)
    const { seal } = c.req.valid('query')
    const report = await checks.run(id, () =>
      verifyAudit(ctx, seal === undefined ? undefined : parseSeal(seal)),
    )
    return c.json(viewChain(report), 200)
  })

  mountAuditStream(app)
}
