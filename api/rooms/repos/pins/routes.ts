import { limits, repoTypes } from '../../../../shared/vocabulary.ts'
import { body, createRoute, json, problems, z } from '../../../core/http/contract.ts'
import { Repo, Text } from '../schemas.ts'

const Ns = z.object({ ns: z.string().openapi({ param: { name: 'ns', in: 'path' }, example: 'acme' }) })

const PinnedRepos = z.object({ items: z.array(Repo) }).openapi('PinnedRepos')

const PinnedReposSet = z
  .strictObject({
    repos: z
      .array(z.strictObject({ type: z.enum(repoTypes), name: Text.min(1).max(limits.nameLength) }))
      .max(limits.pinnedRepos)
      .openapi({ description: 'Repos of this namespace, in the order they are shown in.' }),
  })
  .openapi('PinnedReposSet')

const tags = ['namespaces']
const path = '/namespaces/{ns}/pinned'
const seen = [
  'unauthenticated',
  'bad-credentials',
  'token-expired',
  'insufficient-scope',
  'not-found',
] as const

export const listPinnedRepos = createRoute({
  method: 'get',
  path,
  operationId: 'listPinnedRepos',
  tags,
  summary: 'The repos that a user or an organisation shows first',
  request: { params: Ns },
  responses: { 200: json(PinnedRepos, 'those that the caller may see'), ...problems(...seen) },
})

export const setPinnedRepos = createRoute({
  method: 'put',
  path,
  operationId: 'setPinnedRepos',
  tags,
  summary: 'Choose the repos that a user or an organisation shows first, at most six',
  request: { params: Ns, body: body(PinnedReposSet) },
  responses: {
    200: json(PinnedRepos, 'the pinned repos'),
    ...problems(...seen, 'forbidden', 'csrf-token-invalid', 'invalid-request', 'validation-failed'),
  },
})
