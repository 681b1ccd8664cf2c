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

const date = z.string().openapi({ example: '2026-03-01', description: 'UTC.' })

export const ActivityDays = z
  .object({
    from: date,
    to: date,
    total: z.int(),
    is_partial: z.boolean().openapi({
      description: 'More was done than is counted: only the newest 50 000 or so of each kind are.',
    }),
    days: z
      .array(z.object({ date, count: z.int() }))
      .openapi({ description: 'Days with something, the oldest first.' }),
  })
  .openapi('ActivityDays')

export const getUserActivityDays = createRoute({
  method: 'get',
  path: '/users/{user}/activity/days',
  operationId: 'getUserActivityDays',
  tags: ['namespaces'],
  summary: 'How much a person did on each day of 53 weeks in repos that the caller may see',
  request: { params: User },
  responses: {
    200: json(ActivityDays, 'counts of what `listUserActivity` lists; weeks begin on Mondays'),
    ...problems(
      'unauthenticated',
      'bad-credentials',
      'token-expired',
      'insufficient-scope',
      'not-found',
      'validation-failed',
    ),
  },
})
