import {
  createRoute,
  json,
  PageQuery,
  pathParameter,
  problems,
  RepoAddress,
  z,
} from '../../core/http/contract.ts'
import { FileScan, RepoScan, UnsafeFileList, UnsafeStatus } from './schemas.ts'

const repo = '/repos/{type}/{ns}/{name}'
const hidden = ['unauthenticated', 'insufficient-scope', 'repo-not-found'] as const
const revision = [...hidden, 'invalid-revision', 'revision-not-found', 'store-unavailable'] as const

export const getFileScan = createRoute({
  method: 'get',
  path: `${repo}/files/{rev}/{path}/scan`,
  operationId: 'getFileScan',
  tags: ['content'],
  summary: 'What the scan found in a file',
  request: {
    params: RepoAddress.extend({
      rev: pathParameter('rev', 'refs%2Fpr%2F1'),
      path: pathParameter('path', 'weights%2Fmodel.bin'),
    }),
  },
  responses: {
    200: json(FileScan, 'What the file imports, and what is wrong with it'),
    ...problems(...revision, 'entry-not-found', 'invalid-path'),
  },
})

export const getRepoScan = createRoute({
  method: 'get',
  path: `${repo}/scan`,
  operationId: 'getRepoScan',
  tags: ['content'],
  summary: 'Files of a revision that are not safe',
  request: {
    params: RepoAddress,
    query: z.object({
      rev: z.string().optional().openapi({ description: 'The default branch unless given' }),
    }),
  },
  responses: { 200: json(RepoScan, 'How its files were found'), ...problems(...revision) },
})

export const listUnsafeFiles = createRoute({
  method: 'get',
  path: '/admin/unsafe-files',
  operationId: 'listUnsafeFiles',
  tags: ['admin'],
  summary: 'Files of all repos that are not safe, the latest found first',
  request: { query: PageQuery.extend({ status: UnsafeStatus.default('unsafe') }) },
  responses: {
    200: json(UnsafeFileList, 'A page of files at the heads of default branches'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})
