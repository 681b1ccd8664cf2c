import { body, createRoute, json, RepoAddress, z } from '../../core/http/contract.ts'
import { Job } from '../../core/jobs/routes.ts'
import { changing, ofRepo } from '../repos/routes.ts'
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

export const createDatasetExport = createRoute({
  method: 'post',
  path: '/repos/datasets/{ns}/{name}/exports',
  operationId: 'createDatasetExport',
  tags: ['content'],
  summary: 'Have the rows of a filter or a search written as a Parquet file',
  request: { params: RepoAddress.omit({ type: true }), body: body(schemas.DatasetExport) },
  responses: {
    202: json(Job, 'the job whose result holds the download URL'),
    ...changing('gated', 'repo-disabled'),
  },
})

const changes = {
  path: '/repos/datasets/{ns}/{name}/data-changes',
  request: {
    params: RepoAddress.omit({ type: true }),
    query: z.strictObject({
      base: z
        .string()
        .min(1)
        .max(255)
        .openapi({ description: 'A branch, tag, ref or commit.', example: 'v1' }),
      head: z.string().min(1).max(255).openapi({ description: 'Likewise.', example: 'main' }),
    }),
  },
  tags: ['content'],
}
const comparing = [
  'gated',
  'repo-disabled',
  'revision-not-found',
  'invalid-revision',
  'store-unavailable',
  'temporarily-unavailable',
  'validation-failed',
] as const

export const getDataChanges = createRoute({
  ...changes,
  method: 'get',
  operationId: 'getDataChanges',
  summary: 'How the rows and columns of a dataset differ between two revisions',
  description: 'Reads the data files that differ where they are small; a job compares larger ones.',
  responses: { 200: json(schemas.DataChanges, 'What is known'), ...ofRepo(...comparing) },
})

export const compareData = createRoute({
  ...changes,
  method: 'post',
  operationId: 'compareData',
  summary: 'Compare the rows of a dataset between two revisions',
  responses: {
    202: json(Job, 'The job that reads them'),
    ...changing(...comparing),
  },
})
