import { createRoute, json, pathParameter, problems, RepoAddress, z } from '../../../core/http/contract.ts'
import { FileRows } from './schemas.ts'

/** Blank text would be 0. */
const notBlank = (given: unknown) => (typeof given === 'string' && given.trim() === '' ? Number.NaN : given)
const wholeNumber = (max: number) => z.preprocess(notBlank, z.coerce.number().int().min(0).max(max))

export const getFileRows = createRoute({
  method: 'get',
  path: '/repos/{type}/{ns}/{name}/files/{rev}/{path}/rows',
  operationId: 'getFileRows',
  tags: ['content'],
  summary: 'Rows of a CSV, TSV, JSONL, Parquet or Arrow file',
  description:
    'Of Parquet files any rows, of the others those in the first part of the file. Integers beyond 2^53 come with all digits.',
  request: {
    params: RepoAddress.extend({
      rev: pathParameter('rev', 'main'),
      path: pathParameter('path', 'data%2Ftrain.csv'),
    }),
    query: z.strictObject({
      offset: wholeNumber(Number.MAX_SAFE_INTEGER).default(0),
      length: wholeNumber(100).default(100),
    }),
  },
  responses: {
    200: json(FileRows, 'The rows'),
    ...problems(
      'unauthenticated',
      'insufficient-scope',
      'repo-not-found',
      'gated',
      'invalid-revision',
      'revision-not-found',
      'entry-not-found',
      'invalid-path',
      'invalid-request',
      'validation-failed',
      'lfs-object-missing',
      'store-unavailable',
      'temporarily-unavailable',
    ),
  },
})
