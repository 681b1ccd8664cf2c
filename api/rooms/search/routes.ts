import { repoTypes } from '../../../shared/vocabulary.ts'
import { createRoute, json, problems, z } from '../../core/http/contract.ts'

export const SearchResults = z
  .object({
    repos: z.array(
      z.object({
        type: z.enum(repoTypes),
        ns: z.string(),
        name: z.string(),
        description: z.string().optional(),
      }),
    ),
    namespaces: z.array(
      z.object({ ns: z.string(), kind: z.enum(['user', 'org']), display_name: z.string() }),
    ),
    collections: z.array(
      z.object({
        ns: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string().optional(),
      }),
    ),
  })
  .openapi('SearchResults')

export const search = createRoute({
  method: 'get',
  path: '/search',
  operationId: 'search',
  tags: ['search'],
  summary: 'Repos, namespaces and collections by name or description, names that begin with the text first',
  request: {
    query: z.object({
      q: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(/^[^\0]*$/, 'must not contain NUL'),
      types: z
        .string()
        .regex(
          /^(repos|namespaces|collections)(,(repos|namespaces|collections))*$/,
          'is a comma-separated list of repos, namespaces, collections',
        )
        .optional()
        .openapi({ description: 'What to look for, separated by commas; everything when left out.' }),
      limit: z.coerce.number().int().min(1).max(500).default(50).openapi({ description: 'Of each type.' }),
    }),
  },
  responses: {
    200: json(SearchResults, 'What was found'),
    ...problems('unauthenticated', 'insufficient-scope', 'validation-failed'),
  },
})
