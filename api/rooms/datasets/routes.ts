import { createRoute, json, RepoAddress, z } from '../../core/http/contract.ts'
import { ofRepo } from '../repos/routes.ts'
import * as schemas from './schemas.ts'

export const getDatasetConfigs = createRoute({
  method: 'get',
  path: '/repos/datasets/{ns}/{name}/configs',
  operationId: 'getDatasetConfigs',
  tags: ['content'],
  summary: 'Configs and splits of a dataset, and their Parquet export',
  request: {
    params: RepoAddress.omit({ type: true }),
    query: z.strictObject({
      rev: z.string().min(1).max(255).optional().openapi({
        description: 'The default branch unless given. Other revisions have configs and splits alone.',
      }),
    }),
  },
  responses: {
    200: json(schemas.DatasetConfigs, 'The configs, the default one first'),
    ...ofRepo(
      'gated',
      'repo-disabled',
      'revision-not-found',
      'invalid-revision',
      'store-unavailable',
      'validation-failed',
    ),
  },
})
