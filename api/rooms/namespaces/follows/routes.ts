import { changed, Ns, seen, tags, User } from '../common-routes.ts'
import { createRoute, json, listOf, PageQuery, problems, Time, z } from '../../../core/http/contract.ts'

const FollowStatus = z.object({ followed: z.boolean(), followers: z.int() }).openapi('FollowStatus')

const Follow = z
  .object({
    ns: z.string(),
    kind: z.enum(['user', 'org']),
    display_name: z.string(),
    avatar_url: z.string(),
    followed_at: Time,
  })
  .openapi('Follow')
const FollowList = listOf(Follow, 'FollowList')

export type Follow = z.input<typeof Follow>

export const followNamespace = createRoute({
  method: 'post',
  path: '/namespaces/{ns}/follow',
  operationId: 'followNamespace',
  tags,
  summary: 'Follow a user or an organisation; 1000 at most',
  request: { params: Ns },
  responses: { 200: json(FollowStatus, 'The follow'), ...problems(...changed, 'state-conflict') },
})

export const unfollowNamespace = createRoute({
  method: 'delete',
  path: '/namespaces/{ns}/follow',
  operationId: 'unfollowNamespace',
  tags,
  summary: 'Follow a user or an organisation no more',
  request: { params: Ns },
  responses: { 200: json(FollowStatus, 'The follow'), ...problems(...changed) },
})

export const listFollowers = createRoute({
  method: 'get',
  path: '/namespaces/{ns}/followers',
  operationId: 'listFollowers',
  tags,
  summary: 'Who follows a user or an organisation, the latest first',
  request: { params: Ns, query: PageQuery },
  responses: {
    200: json(FollowList, 'A page of people'),
    ...problems(...seen, 'invalid-cursor', 'validation-failed'),
  },
})

export const listFollowing = createRoute({
  method: 'get',
  path: '/users/{user}/following',
  operationId: 'listFollowing',
  tags,
  summary: 'Whom a user follows, the latest first',
  request: { params: User, query: PageQuery },
  responses: {
    200: json(FollowList, 'A page of users and organisations'),
    ...problems(...seen, 'invalid-cursor', 'validation-failed'),
  },
})
