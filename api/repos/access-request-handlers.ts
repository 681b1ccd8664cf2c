import { z } from '../http/contract.ts'
import { openCursor, sealCursor } from '../http/cursor.ts'
import type { App } from '../http/env.ts'
import { createAccessRequest, decideAccessRequest, listAccessRequests } from './access-requests.ts'
import { repoTypeOf } from './address.ts'
import * as routes from './routes.ts'
import { apiPath, viewAccessRequest } from './view.ts'

const Position = z.strictObject({ at: z.number(), id: z.string() })

/** The operations on access requests of gated Repos. */
export function mountAccessRequests(app: App): void {
  app.openapi(routes.listAccessRequests, async (c) => {
    const { ctx } = c.var
    const { type, ...at } = c.req.valid('param')
    const { cursor, limit, status } = c.req.valid('query')
    const list = JSON.stringify(['listAccessRequests', type, at, status])
    const after = openCursor(ctx, list, cursor, Position)
    const address = { type: repoTypeOf(type), ...at }
    const { items, next } = await listAccessRequests(ctx, address, status, { after, limit })
    return c.json({ items: items.map(viewAccessRequest), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.createAccessRequest, async (c) => {
    const { type, ...at } = c.req.valid('param')
    const address = { type: repoTypeOf(type), ...at }
    const request = await createAccessRequest(c.var.ctx, address, c.req.valid('json'))
    return c.json(viewAccessRequest(request), 201, {
      Location: `${apiPath(address)}/access-requests/${request.id}`,
    })
  })

  app.openapi(routes.decideAccessRequest, async (c) => {
    const { type, ns, name, id } = c.req.valid('param')
    const address = { type: repoTypeOf(type), ns, name }
    const request = await decideAccessRequest(c.var.ctx, address, id, c.req.valid('json'))
    return c.json(viewAccessRequest(request), 200)
  })
}
