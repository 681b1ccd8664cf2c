import type { Ctx } from '../../../core/ctx.ts'
import { time, z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { avatarPath } from '../avatars/address.ts'
import { followNamespace } from './follow.ts'
import { listFollowers, listFollowing, type Follow, type FollowsPage } from './list.ts'
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
    const read = (page: FollowsPage) => listFollowers(ctx, ns, page)
    return c.json(await pageOf(ctx, `listFollowers ${ns}`, c.req.valid('query'), read), 200)
  })

  app.openapi(routes.listFollowing, async (c) => {
    const { ctx } = c.var
    const { user } = c.req.valid('param')
    const read = (page: FollowsPage) => listFollowing(ctx, user, page)
    return c.json(await pageOf(ctx, `listFollowing ${user}`, c.req.valid('query'), read), 200)
  })
}

async function pageOf(
  ctx: Ctx,
  name: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (page: FollowsPage) => ReturnType<typeof listFollowers>,
) {
  const list = name.toLowerCase()
  const { items, next } = await read({ after: openCursor(ctx, list, cursor, Position), limit })
  return { items: items.map(viewFollow), next_cursor: sealCursor(ctx, list, next) }
}
