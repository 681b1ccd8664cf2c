import { time, z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { avatarPath } from '../avatars/address.ts'
import { followNamespace } from './follow.ts'
import { listFollowers, listFollowing, type Follow } from './list.ts'
import * as routes from './routes.ts'

const Position = z.object({ at: z.number(), id: z.string() })

const viewFollow = ({ ns, kind, displayName, followedAt }: Follow): routes.Follow => ({
  ns,
  kind,
  display_name: displayName,
  avatar_url: avatarPath(ns),
  followed_at: time(followedAt),
})

/** The operations on who follows whom. */
export function mountFollows(app: App): void {
  app.openapi(routes.followNamespace, async (c) =>
    c.json(await followNamespace(c.var.ctx, c.req.valid('param').ns, true), 200),
  )

  app.openapi(routes.unfollowNamespace, async (c) =>
    c.json(await followNamespace(c.var.ctx, c.req.valid('param').ns, false), 200),
  )

  app.openapi(routes.listFollowers, async (c) => {
    const { ctx } = c.var
    const { ns } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = `listFollowers ${ns.toLowerCase()}`
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listFollowers(ctx, ns, { after, limit })
    return c.json({ items: items.map(viewFollow), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.listFollowing, async (c) => {
    const { ctx } = c.var
    const { user } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = `listFollowing ${user.toLowerCase()}`
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listFollowing(ctx, user, { after, limit })
    return c.json({ items: items.map(viewFollow), next_cursor: sealCursor(ctx, list, next) }, 200)
  })
}
