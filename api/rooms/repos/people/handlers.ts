import { z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { createAccessRequest, listAccessRequests } from './access-requests.ts'
import { getCollaborators, setCollaborators } from './collaborators.ts'
import { decideAccessRequest } from './decide-access.ts'
import { likeRepo } from './like.ts'
import { listLikers } from './likers.ts'
import * as routes from './routes.ts'
import { getStats } from '../stats/stats.ts'
import { addressOf, apiPath, viewAccessRequest, viewLiker } from '../view.ts'

const Position = z.strictObject({ at: z.number(), id: z.string() })

function mountLikes(app: App): void {
  app.openapi(routes.likeRepo, async (c) =>
    c.json(await likeRepo(c.var.ctx, addressOf(c.req.valid('param')), true), 200),
  )

  app.openapi(routes.unlikeRepo, async (c) =>
    c.json(await likeRepo(c.var.ctx, addressOf(c.req.valid('param')), false), 200),
  )

  app.openapi(routes.listLikers, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c.req.valid('param'))
    const { cursor, limit } = c.req.valid('query')
    const list = JSON.stringify(['listLikers', address])
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listLikers(ctx, address, { after, limit })
    return c.json({ items: items.map(viewLiker), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.getStats, async (c) => {
    const stats = await getStats(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('query').days)
    const { days, downloads30d, downloadsTotal } = stats
    const view = days.map(({ sizeBytes, ...day }) =>
      sizeBytes === undefined ? day : { ...day, size_bytes: sizeBytes },
    )
    return c.json({ days: view, downloads_30d: downloads30d, downloads_total: downloadsTotal }, 200)
  })
}

function mountCollaborators(app: App): void {
  app.openapi(routes.getCollaborators, async (c) => {
    const { items, etag } = await getCollaborators(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json({ items, next_cursor: '' } as const, 200, { ETag: etag })
  })

  app.openapi(routes.setCollaborators, async (c) => {
    const wanted = c.req.valid('json').items
    const ifMatch = c.req.valid('header')['if-match']
    const { items, etag } = await setCollaborators(
      c.var.ctx,
      addressOf(c.req.valid('param')),
      wanted,
      ifMatch,
    )
    return c.json({ items, next_cursor: '' } as const, 200, { ETag: etag })
  })
}

function mountAccessRequests(app: App): void {
  app.openapi(routes.listAccessRequests, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c.req.valid('param'))
    const { cursor, limit, status } = c.req.valid('query')
    const list = JSON.stringify(['listAccessRequests', address, status])
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listAccessRequests(ctx, address, status, { after, limit })
    return c.json({ items: items.map(viewAccessRequest), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.createAccessRequest, async (c) => {
    const address = addressOf(c.req.valid('param'))
    const request = await createAccessRequest(c.var.ctx, address, c.req.valid('json'))
    return c.json(viewAccessRequest(request), 201, {
      Location: `${apiPath(address)}/access-requests/${request.id}`,
    })
  })

  app.openapi(routes.decideAccessRequest, async (c) => {
    const { id, ...at } = c.req.valid('param')
    const request = await decideAccessRequest(c.var.ctx, addressOf(at), { id }, c.req.valid('json'))
    return c.json(viewAccessRequest(request), 200)
  })
}

/** Likes, downloads, collaborators and access requests. */
export function mountPeople(app: App): void {
  mountLikes(app)
  mountCollaborators(app)
  mountAccessRequests(app)
}
