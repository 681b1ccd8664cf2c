import { createRoute, json, listOf, PageQuery, problems, z } from '../../../core/http/contract.ts'
import { Activity } from '../routes.ts'

export const FeedEntry = Activity.omit({ discussion: true })
  .extend({
    author: z.string().optional().openapi({
      description: 'Username of who did it, or did it last. Absent for jobs and accounts that are gone.',
    }),
    commits: z.int().openapi({
      description: 'How many commits came to the default branch on the day; 0 of a repo that was created.',
    }),
    description: z.string().optional().openapi({ description: 'How the description of the repo begins.' }),
  })
  .openapi('FeedEntry', {
    description:
      'The commits of a day (UTC) to the default branch of a repo, with the last one of them. Without a commit: a repo that was created.',
  })

export const getFeed = createRoute({
  method: 'get',
  path: '/feed',
  operationId: 'getFeed',
  tags: ['namespaces'],
  summary: 'What people and organisations you follow published, and what is new in repos you watch',
  description: 'In the last 90 days, in repos that you may see now; not what you did yourself.',
  request: { query: PageQuery },
  responses: {
    200: json(listOf(FeedEntry, 'Feed'), 'newest first'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})
