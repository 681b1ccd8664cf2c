import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { Env } from '../../../core/http/env.ts'
import { avatarPath } from '../../../rooms/namespaces/index.ts'
import { likeRepo, listLikedRepos, listLikers } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { fit } from '../wire/bodies.ts'
import { pageResponse, positionOf } from '../wire/pages.ts'
import { hubTime } from '../wire/params.ts'

const limit = 1000
const LatestPosition = z.object({ at: z.number(), id: z.string() })

/** Where a page of a list begins that goes from the latest to the earliest. */
export function latestPositionOf(c: Context<Env>): z.output<typeof LatestPosition> | undefined {
  const position = positionOf(c)
  return position === undefined ? undefined : fit(LatestPosition, position)
}

/** `POST|DELETE /api/{t}/{repo}/like` */
async function setLike(c: Context<Env>, liked: boolean): Promise<Response> {
  await likeRepo(c.var.ctx, addressOf(c), liked)
  return c.json({})
}

/** `GET /api/{t}/{repo}/likers` */
async function sendLikers(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { items, next } = await listLikers(ctx, addressOf(c), { after: latestPositionOf(c), limit })
  const people = items.map(({ username, displayName }) => ({
    user: username,
    fullname: displayName,
    avatarUrl: ctx.origin.baseUrl + avatarPath(username),
    type: 'user',
  }))
  return pageResponse(c, people, next)
}

/** `GET /api/users/{user}/likes` */
async function sendLikedRepos(c: Context<Env>): Promise<Response> {
  const page = { after: latestPositionOf(c), limit }
  const { items, next } = await listLikedRepos(c.var.ctx, c.req.param('user') ?? '', page)
  const likes = items.map(({ type, ns, name, likedAt }) => ({
    createdAt: hubTime(likedAt),
    repo: { name: `${ns}/${name}`, type },
  }))
  return pageResponse(c, likes, next)
}

const repo = '/api/:t{models|datasets}/:ns/:name'

/** Likes (hub-wire.md §9). */
export const likeRows: ['GET' | 'POST' | 'DELETE', string, (c: Context<Env>) => Promise<Response>][] = [
  ['POST', `${repo}/like`, (c) => setLike(c, true)],
  ['DELETE', `${repo}/like`, (c) => setLike(c, false)],
  ['GET', `${repo}/likers`, sendLikers],
  ['GET', '/api/users/:user/likes', sendLikedRepos],
]
