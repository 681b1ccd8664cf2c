import { limits, repoTypePaths, repoTypes } from '../../../shared/vocabulary.ts'
import { createRoute, json, listOf, problems, Time, z } from '../../core/http/contract.ts'

const FoundCard = z
  .object({
    type: z.enum(repoTypes),
    ns: z.string(),
    name: z.string(),
    excerpt: z.array(z.object({ text: z.string(), marked: z.boolean() })).openapi({
      description: 'Plain text of the card around the first match, in pieces; what was looked for is marked.',
    }),
    task: z.string().optional(),
    likes: z.int(),
    updated_at: Time,
  })
  .openapi('FoundCard')

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
    cards: listOf(FoundCard, 'FoundCardList')
      .optional()
      .openapi({ description: 'Present when `types` names cards; those that fit best first.' }),
  })
  .openapi('SearchResults')

export const search = createRoute({
  method: 'get',
  path: '/search',
  operationId: 'search',
  tags: ['search'],
  summary: 'Repos, namespaces and collections by name or description, names that begin with the text first',
  description:
    'With `types=cards`, repos by the text of their cards: every word must occur, in any order; words in quotes stand ' +
    'next to each other, and the last word may be the beginning of a longer one.',
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
          /^(repos|namespaces|collections|cards)(,(repos|namespaces|collections|cards))*$/,
          'is a comma-separated list of repos, namespaces, collections, cards',
        )
        .optional()
        .openapi({
          description: 'What to look for, separated by commas; everything but cards when left out.',
        }),
      type: z.enum(repoTypePaths).optional().openapi({ description: 'Of repos and cards.' }),
      cursor: z.string().optional().openapi({ description: 'Of cards.' }),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .default(50)
        .openapi({ description: `Of each type; of cards at most ${limits.cardPageMax}.` }),
    }),
  },
  responses: {
    200: json(SearchResults, 'What was found'),
    ...problems('unauthenticated', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})
