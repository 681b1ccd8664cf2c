import { feedDeeds } from '../../../../shared/vocabulary.ts'
import { createRoute, json, listOf, PageQuery, problems, z } from '../../../core/http/contract.ts'
import { Activity } from '../routes.ts'

export const FeedEntry = Activity.partial({ repo: true })
  .extend({
    collection: z.object({ ns: z.string(), slug: z.string(), title: z.string() }).optional(),
    author: z.string().optional().openapi({
      description: 'Username of who did it, or did it last. Absent for jobs and accounts that are gone.',
    }),
    commits: z.int().openapi({
      description: 'How many commits came to the default branch on the day; 0 of all else.',
    }),
    description: z
      .string()
      .optional()
      .openapi({ description: 'How the description of the repo or the collection begins.' }),
    deed: z.enum(feedDeeds).optional().openapi({
      description: 'Of a discussion or pull request: what was done there last on the day.',
    }),
    comments: z.int().optional().openapi({
      description:
        'Of a discussion or pull request: the comments of the day, besides the one that opened it.',
    }),
  })
  .openapi('FeedEntry', {
    description:
      'The commits of a day (UTC) to the default branch of a repo, with the last one of them; or what others did on a day in a discussion or pull request. Or a collection that was created. With none of these: a repo that was created.',
  })

export const getFeed = createRoute({
  method: 'get',
  path: '/feed',
  operationId: 'getFeed',
  tags: ['namespaces'],
  summary: 'What people and organisations you follow published, and what others did where you take part',
  description:
    'In the last 90 days, in repos that you may see now; not what you did yourself. You take part in repos that you own, write to or watch, in those of your organisations, and in discussions where you wrote.',
  request: { query: PageQuery },
  responses: {
    200: json(listOf(FeedEntry, 'Feed'), 'newest first'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})
