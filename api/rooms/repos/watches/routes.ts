import { repoTypes, watchLevels } from '../../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  PageQuery,
  problems,
  RepoAddress,
  Time,
  z,
} from '../../../core/http/contract.ts'
import { changing, ofRepo, P, tags } from '../routes.ts'

const level = z.enum(watchLevels).openapi({
  description:
    'discussions: new discussions and pull requests. all: these, and each comment, merge and change of status in them. ignore: mentions alone.',
})
const Watch = z.strictObject({ level }).openapi('Watch')
const WatchStatus = z.object({ level: level.optional() }).openapi('WatchStatus')
const WatchedRepo = z
  .object({
    repo: z.object({ type: z.enum(repoTypes), ns: z.string(), name: z.string() }),
    level,
    watched_at: Time,
  })
  .openapi('WatchedRepo')

const path = `${P}/watch`

export const getWatch = createRoute({
  method: 'get',
  path,
  operationId: 'getWatch',
  tags,
  summary: 'Which news of a repo you have chosen',
  request: { params: RepoAddress },
  responses: {
    200: json(WatchStatus, 'the level; absent where you have chosen none'),
    ...ofRepo(),
  },
})

export const watchRepo = createRoute({
  method: 'put',
  path,
  operationId: 'watchRepo',
  tags,
  summary: 'Choose which news of a repo you want; of 1000 repos at most',
  request: { params: RepoAddress, body: body(Watch) },
  responses: { 200: json(WatchStatus, 'the level'), ...changing('state-conflict') },
})

export const unwatchRepo = createRoute({
  method: 'delete',
  path,
  operationId: 'unwatchRepo',
  tags,
  summary: 'Go back to the usual news of a repo',
  description: 'These are mentions, what follows in threads you wrote in, and what is opened in your repos.',
  request: { params: RepoAddress },
  responses: { 204: empty('you have chosen none'), ...changing() },
})

export const listWatchedRepos = createRoute({
  method: 'get',
  path: '/me/watched',
  operationId: 'listWatchedRepos',
  tags,
  summary: 'Repos of which you have chosen the news, the latest first',
  description: 'Those that you may see now.',
  request: { query: PageQuery },
  responses: {
    200: json(listOf(WatchedRepo, 'WatchedRepoList'), 'a page of them'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})
