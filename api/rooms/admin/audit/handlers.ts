import { Readable } from 'node:stream'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import { exportAudit, listAudit, type AuditRow } from '../../../core/events/index.ts'
import { time, z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import * as routes from './routes.ts'

const viewEvent = (row: AuditRow): z.input<typeof routes.AuditEvent> => ({
  id: row.id,
  at: time(row.at),
  ...(row.request_id && { request_id: row.request_id }),
  ...(row.actor && { actor: row.actor }),
  ...(row.actor_id && { actor_id: row.actor_id }),
  auth_kind: row.auth_kind,
  ...(row.token_id && { token_id: row.token_id }),
  ...(row.ip && { ip: row.ip }),
  action: row.action,
  target: { type: row.target_type, id: row.target_id, name: row.target_name },
  ...(row.before && { before: row.before }),
  ...(row.after && { after: row.after }),
  outcome: row.outcome,
})

/** The audit: a page of it, and all of it as lines of JSON. */
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
      for await (const rows of exportAudit(ctx, filter))
        yield Buffer.from(rows.map((row) => `${JSON.stringify(viewEvent(row))}\n`).join(''))
    }
    const body = Readable.toWeb(Readable.from(lines(), { objectMode: true, highWaterMark: 1 }))
    c.header('Content-Type', 'application/jsonl; charset=utf-8')
    c.header('Content-Disposition', 'attachment; filename="audit.jsonl"')
    return c.body(body as ReadableStream, 200) as never
  })
}
