import { discoverSorts, discoverStates, presences, repoTypes } from '../../../shared/vocabulary.ts'
import {
  createRoute,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  RepoAddress,
  Time,
  z,
} from '../../core/http/contract.ts'
import { needKinds, relations } from '../../core/metadata/index.ts'
import { QuantGroup } from '../quants/routes.ts'

const Named = z.object({ type: z.enum(repoTypes), ns: z.string(), name: z.string() })

const Arsenal = z
  .object({
    state: z.enum(discoverStates),
    repo: Named.optional().openapi({ description: 'Where it is here.' }),
  })
  .openapi('ArsenalState')

const Discovered = {
  type: z.enum(repoTypes),
  id: z.string(),
  ns: z.string(),
  name: z.string(),
  author: z.string().optional(),
  description: z.string().optional(),
  likes: z.int(),
  downloads: z.int(),
  updated_at: Time.optional(),
  task: z.string().optional(),
  library: z.string().optional(),
  licence: z.string().optional(),
  gated: z.boolean(),
  private: z.boolean(),
  tags: z.array(z.string()),
  arsenal: Arsenal,
}

export const DiscoverList = listOf(z.object(Discovered).openapi('DiscoveredRepo'), 'DiscoverList')

export const DiscoverDetail = z
  .object({
    ...Discovered,
    commit: z.string(),
    card: z.string().optional().openapi({ description: 'Markdown, with its front matter.' }),
    readable: z.boolean().openapi({ description: 'Whether the token that was used may read the files.' }),
    files: z.array(
      z.object({
        path: z.string(),
        size: z.int(),
        lfs: z.object({ sha256: z.string() }).optional(),
        presence: z.enum(presences),
      }),
    ),
    quants: z.object({ groups: z.array(QuantGroup) }),
    configs: z
      .array(z.object({ name: z.string(), splits: z.array(z.string()), files: z.array(z.string()) }))
      .openapi({
        description:
          'Of a dataset: as the viewer of the upstream knows them, else as the card says. `files` are the large ones that a pull of the config brings, as far as the card tells.',
      }),
    dependencies: z.array(
      z.object({
        kind: z.enum(needKinds),
        repo: Named,
        revision: z.string().optional(),
        relation: z.enum(relations).optional(),
        arsenal: Arsenal,
      }),
    ),
    size_bytes: z.int(),
    free_bytes: z.int().optional().openapi({ description: 'Of the disk; absent for a bucket.' }),
    quota_left: z.int().optional(),
    warnings: z.array(z.string()),
  })
  .openapi('DiscoverDetail')

const upstream = z.string().min(1).max(64)
const words = oneLine(z.string().trim().min(1).max(200))
const { type } = RepoAddress.shape

const failures = [
  ...(['unauthenticated', 'insufficient-scope', 'not-found', 'validation-failed'] as const),
  ...(['upstream-unavailable', 'upstream-throttled', 'gated'] as const),
] as const

export const discover = createRoute({
  method: 'get',
  path: '/discover/{type}',
  operationId: 'discover',
  tags: ['mirrors'],
  summary: 'Repos of an upstream, with how each stands here',
  request: {
    params: z.object({ type }),
    query: PageQuery.extend({
      upstream,
      search: words.optional(),
      author: words.optional(),
      filter: z
        .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(words).max(20))
        .optional()
        .openapi({
          description: 'Tags that all must be there; may be repeated.',
          type: 'array',
          items: { type: 'string' },
        }),
      sort: z.enum(discoverSorts).default('trending'),
      limit: z.coerce.number().int().min(1).max(100).default(30),
    }),
  },
  responses: {
    200: json(DiscoverList, 'a page of what the upstream has'),
    ...problems(...failures, 'invalid-cursor'),
  },
})

export const discoverRepo = createRoute({
  method: 'get',
  path: '/discover/{type}/{ns}/{name}',
  operationId: 'discoverRepo',
  tags: ['mirrors'],
  summary: 'A repo of an upstream, and what a pull of it would bring',
  request: {
    params: RepoAddress,
    query: z.object({ upstream, rev: oneLine(z.string().min(1).max(255)).optional() }),
  },
  responses: {
    200: json(DiscoverDetail, 'what the upstream has'),
    ...problems(...failures, 'revision-not-found', 'store-unavailable'),
  },
})
