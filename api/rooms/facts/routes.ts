import { createRoute, json, pathParameter, problems, RepoAddress, z } from '../../core/http/contract.ts'
import { Job } from '../../core/jobs/routes.ts'
import { FileHeader, TensorComparison } from './schemas.ts'

const repo = '/repos/{type}/{ns}/{name}'
const files = [
  'unauthenticated',
  'insufficient-scope',
  'repo-not-found',
  'gated',
  'invalid-revision',
  'revision-not-found',
  'entry-not-found',
  'invalid-path',
  'lfs-object-missing',
  'store-unavailable',
  'validation-failed',
] as const

export const getFileHeader = createRoute({
  method: 'get',
  path: `${repo}/files/{rev}/{path}/header`,
  operationId: 'getFileHeader',
  tags: ['content'],
  summary: 'The tensors and keys of a safetensors or GGUF file, or of all shards of an index',
  request: {
    params: RepoAddress.extend({
      rev: pathParameter('rev', 'refs%2Fpr%2F1'),
      path: pathParameter('path', 'model.safetensors'),
    }),
    query: z.object({
      cursor: z.string().optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(10_000)
        .default(1000)
        .openapi({ description: 'Tensors of a page.' }),
    }),
  },
  responses: {
    200: json(FileHeader, 'The header, with one page of its tensors'),
    ...problems(...files, 'invalid-cursor'),
  },
})

const compared = z.object({
  old: z.string().min(1).max(255).openapi({ description: 'A revision.', example: 'v1' }),
  new: z.string().min(1).max(255).openapi({ description: 'A revision.', example: 'main' }),
  path: z.string().min(1).max(4096).openapi({ example: 'model.safetensors.index.json' }),
  old_path: z.string().max(4096).optional().openapi({ description: 'Where a renamed file was.' }),
})

export const getTensorComparison = createRoute({
  method: 'get',
  path: `${repo}/tensor-comparison`,
  operationId: 'getTensorComparison',
  tags: ['content'],
  summary: 'Which tensors of two revisions of a file have different bytes',
  request: { params: RepoAddress, query: compared },
  responses: { 200: json(TensorComparison, 'What is known'), ...problems(...files) },
})

export const compareTensors = createRoute({
  method: 'post',
  path: `${repo}/tensor-comparison`,
  operationId: 'compareTensors',
  tags: ['content'],
  summary: 'Compare the bytes of the tensors of two revisions of a file',
  request: { params: RepoAddress, query: compared },
  responses: { 202: json(Job, 'The job that reads them'), ...problems(...files) },
})
