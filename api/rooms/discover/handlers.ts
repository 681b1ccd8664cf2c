import { actorId } from '../../core/access/index.ts'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { addressOf } from '../repos/view.ts'
import { repoTypeOf } from '../repos/index.ts'
import { getDiscovered } from './detail.ts'
import { listDiscovered } from './list.ts'
import * as routes from './routes.ts'
import { viewDetail, viewDiscovered } from './view.ts'

/** Where a page begins at the upstream. */
const Position = z.strictObject({ path: z.string() })

/** The operations that look at upstreams before anything is pulled. */
export function mountDiscover(app: App): void {
  app.openapi(routes.discover, async (c) => {
    const { ctx } = c.var
    const { cursor, ...query } = c.req.valid('query')
    const type = repoTypeOf(c.req.valid('param').type)
    const list = JSON.stringify(['discover', type, query, actorId(ctx.actor)])
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listDiscovered(ctx, type, query, after?.path)
    const next_cursor = sealCursor(ctx, list, next === undefined ? undefined : { path: next })
    return c.json({ items: items.map(viewDiscovered), next_cursor }, 200)
  })

  app.openapi(routes.discoverRepo, async (c) => {
    const { ctx } = c.var
    const { upstream, rev = 'main' } = c.req.valid('query')
    const { type, ns, name } = addressOf(c.req.valid('param'))
    const found = await getDiscovered(ctx, { upstream, type, name: `${ns}/${name}`, revision: rev })
    return c.json(viewDetail(found, ctx.config.server.public_url), 200)
  })
}
