import { discussionKinds, repoTypes } from '../../../shared/vocabulary.ts'
import { createRoute, json, listOf, PageQuery, problems, Time, z } from '../../core/http/contract.ts'

export const Activity = z
  .object({
    id: z.string(),
    at: Time,
    repo: z.object({ type: z.enum(repoTypes), ns: z.string(), name: z.string() }),
    commit: z
      .object({
        sha: z.string(),
        branch: z.string(),
        title: z.string().optional().openapi({ description: 'Missing once the commit is gone.' }),
      })
      .optional(),
    discussion: z.object({ num: z.int(), kind: z.enum(discussionKinds), title: z.string() }).optional(),
  })
  .openapi('Activity', {
    description:
      'A commit to a branch, or a discussion or pull request that was opened. With neither: a repo that was created.',
  })

const User = z.object({ user: z.string().openapi({ param: { name: 'user', in: 'path' }, example: 'ada' }) })

export const listUserActivity = createRoute({
  method: 'get',
  path: '/users/{user}/activity',
  operationId: 'listUserActivity',
  tags: ['namespaces'],
  summary: 'What a person did in repos that the caller may see',
  request: { params: User, query: PageQuery },
  responses: {
    200: json(listOf(Activity, 'ActivityList'), 'newest first'),
    ...problems(
      'unauthenticated',
      'bad-credentials',
      'token-expired',
      'insufficient-scope',
      'not-found',
      'invalid-cursor',
      'validation-failed',
    ),
  },
})
