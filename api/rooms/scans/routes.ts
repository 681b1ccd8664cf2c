import {
  body,
  createRoute,
  empty,
  json,
  PageQuery,
  pathParameter,
  problems,
  RepoAddress,
  z,
} from '../../core/http/contract.ts'
import {
  FileScan,
  ImportRule,
  ImportRuleList,
  ImportRuleSet,
  OfImport,
  RepoScan,
  UnsafeFileList,
  UnsafeStatus,
} from './schemas.ts'

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

const admin = ['unauthenticated', 'forbidden', 'insufficient-scope'] as const

export const listImportRules = createRoute({
  method: 'get',
  path: '/admin/scan/imports',
  operationId: 'listImportRules',
  tags: ['admin'],
  summary: 'What admins say of imports, for all repos',
  responses: { 200: json(ImportRuleList, 'The rules, by module and name'), ...problems(...admin) },
})

export const setImportRule = createRoute({
  method: 'put',
  path: '/admin/scan/imports/{module}/{name}',
  operationId: 'setImportRule',
  tags: ['admin'],
  summary: 'Allow an import, or call it dangerous, for all repos',
  description: 'A job judges the files again that have it. No file is read for it.',
  request: { params: OfImport, body: body(ImportRuleSet) },
  responses: {
    200: json(ImportRule, 'The rule'),
    ...problems(...admin, 'csrf-token-invalid', 'invalid-request', 'validation-failed'),
  },
})

export const deleteImportRule = createRoute({
  method: 'delete',
  path: '/admin/scan/imports/{module}/{name}',
  operationId: 'deleteImportRule',
  tags: ['admin'],
  summary: 'Let the scanner decide on an import again',
  request: { params: OfImport },
  responses: {
    204: empty('Removed; a job judges the files again that have it'),
    ...problems(...admin, 'csrf-token-invalid', 'not-found', 'validation-failed'),
  },
})
