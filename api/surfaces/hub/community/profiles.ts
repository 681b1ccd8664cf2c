import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { decideProfile, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Env } from '../../../core/http/env.ts'
import {
  avatarPath,
  countFollowedUsers,
  getNamespace,
  listFollowers,
  listFollowing,
  listMembers,
  organisationsOf,
  type Profile,
} from '../../../rooms/namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { countRepos } from '../../../rooms/repos/index.ts'
import { fit } from '../wire/bodies.ts'
import { pageResponse, positionOf } from '../wire/pages.ts'
import { hubTime } from '../wire/params.ts'
import { latestPositionOf } from './likes.ts'

const maxPeople = 1000

/** The user or the organisation of this name; Problem `not-found` for one of the other kind. */
async function requireProfile(ctx: Ctx, kind: 'user' | 'org', name: string): Promise<Profile> {
  const profile = await getNamespace(ctx, name)
  if (profile.row.kind !== kind) throw new Problem('not-found')
  return profile
}

const avatarOf = (ctx: Ctx, name: string) => ctx.origin.baseUrl + avatarPath(name)

/** What overviews of users and organisations have in common. Spaces and papers are not kept here. */
function overviewOf(ctx: Ctx, { row, counts, follows }: Profile): Record<string, unknown> {
  return {
    fullname: row.display_name,
    avatarUrl: avatarOf(ctx, row.name),
    ...(row.bio ? { details: row.bio } : {}),
    numModels: counts.models,
    numDatasets: counts.datasets,
    numSpaces: 0,
    numPapers: 0,
    numFollowers: follows.followers,
    createdAt: hubTime(row.created_at),
  }
}

/** `GET /api/users/{u}/overview` */
async function describeUser(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const profile = await requireProfile(ctx, 'user', c.req.param('user') ?? '')
  const { id, name } = profile.row
  const policy = policyOf(ctx.config)
  const orgs = (await organisationsOf(ctx.db, id)).filter(
    ({ ns }) => decideProfile(ctx.actor, ns, policy) === 'ok',
  )
  const { total } = await countRepos(ctx, { likedBy: id })
  return c.json({
    user: name,
    type: 'user',
    isPro: false,
    ...overviewOf(ctx, profile),
    numUpvotes: 0,
    numLikes: total,
    numFollowing: await countFollowedUsers(ctx.db, id),
    orgs: orgs.map(({ ns, display_name }) => ({
      name: ns,
      fullname: display_name,
      avatarUrl: avatarOf(ctx, ns),
    })),
  })
}

/** `GET /api/organizations/{o}/overview` */
async function describeOrg(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const profile = await requireProfile(ctx, 'org', c.req.param('org') ?? '')
  return c.json({
    name: profile.row.name,
    isVerified: false,
    ...overviewOf(ctx, profile),
    numUsers: profile.counts.members ?? 0,
  })
}

/** `GET /api/organizations/{o}/members` */
async function sendMembers(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const position = positionOf(c)
  const after = position === undefined ? undefined : fit(z.string(), position)
  const { items, next } = await listMembers(ctx, c.req.param('org') ?? '', { after, limit: maxPeople })
  const people = items.map(({ username, display_name, role }) => ({
    user: username,
    fullname: display_name,
    avatarUrl: avatarOf(ctx, username),
    type: 'user',
    isPro: false,
    role,
  }))
  return pageResponse(c, people, next)
}

/** `GET /api/users/{u}/followers|following`, `GET /api/organizations/{o}/followers` */
async function sendFollows(c: Context<Env>, list: typeof listFollowers): Promise<Response> {
  const { ctx } = c.var
  const { user, org } = c.req.param() as { user?: string; org?: string }
  const { row } = await requireProfile(ctx, org === undefined ? 'user' : 'org', org ?? user ?? '')
  // Clients take each line for a user, so organisations that a user follows are left out.
  const page = { after: latestPositionOf(c), limit: maxPeople, kind: 'user' } as const
  const { items, next } = await list(ctx, row.name, page)
  const people = items.map(({ ns, displayName }) => ({
    user: ns,
    fullname: displayName,
    avatarUrl: avatarOf(ctx, ns),
    type: 'user',
    isPro: false,
  }))
  return pageResponse(c, people, next)
}

/** Profiles (hub-wire.md §11.4). */
export const profileRows: ['GET', string, (c: Context<Env>) => Promise<Response>][] = [
  ['GET', '/api/users/:user/overview', describeUser],
  ['GET', '/api/users/:user/followers', (c) => sendFollows(c, listFollowers)],
  ['GET', '/api/users/:user/following', (c) => sendFollows(c, listFollowing)],
  ['GET', '/api/organizations/:org/overview', describeOrg],
  ['GET', '/api/organizations/:org/members', sendMembers],
  ['GET', '/api/organizations/:org/followers', (c) => sendFollows(c, listFollowers)],
]
