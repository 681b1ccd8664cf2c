import { repoTypePaths } from '../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  flag,
  json,
  PageQuery,
  problems,
  RepoAddress,
  z,
} from '../../core/http/contract.ts'
import type { ProblemCode } from '../../platform/problems/index.ts'
import * as schemas from './schemas.ts'
import { Text } from './schemas.ts'

export const tags = ['repos']
/** Path of one repo. */
export const P = '/repos/{type}/{ns}/{name}'

const moved = {
  307: {
    description: 'The repo has another address now: the same request at `Location`',
    headers: z.object({ Location: z.string() }),
  },
}
/** What every operation on one repo may answer besides success. */
export const ofRepo = (...codes: ProblemCode[]) => ({
  ...moved,
  ...problems('not-found', 'unauthenticated', 'repo-not-found', 'forbidden', 'insufficient-scope', ...codes),
})
/** As `ofRepo`, of an operation that changes something. */
export const changing = (...codes: ProblemCode[]) =>
  ofRepo('csrf-token-invalid', 'validation-failed', 'invalid-request', ...codes)

export const IfMatch = z.object({
  'if-match': z
    .string()
    .optional()
    .openapi({ param: { name: 'if-match', in: 'header' } }),
})

/** A whole number of at least 0. Digits alone: `z.coerce` would take an empty text for 0. */
const bound = (description?: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number of at most 15 digits')
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999_999_999,
      ...(description !== undefined && { description }),
    })

const commaList = (of: string) =>
  Text.max(1000)
    .optional()
    .openapi({ description: `One ${of}, or several separated by commas: any of them.` })

export const listRepos = createRoute({
  method: 'get',
  path: '/repos',
  operationId: 'listRepos',
  tags,
  summary: 'Repos the caller may see, with facet counts',
  request: {
    query: z.strictObject({
      ...PageQuery.shape,
      type: z.enum(repoTypePaths).optional(),
      q: Text.max(200).optional().openapi({
        description:
          'Words, each of which occurs in `ns/name`, or begins a word of the description or a tag.',
      }),
      ns: Text.max(96).optional(),
      format: commaList('format'),
      task: commaList('task'),
      library: commaList('library'),
      quant: commaList('quant').openapi({
        description: 'One quant, or several separated by commas, in any case.',
      }),
      licence: commaList('licence'),
      language: commaList('language'),
      modality: commaList('modality'),
      size_category: commaList('size category'),
      params_min: bound('Parameters. What is not known matches no bound.'),
      params_max: bound(),
      context_min: bound('Tokens.'),
      size_max: bound('Bytes of the files at the head.'),
      rows_min: bound('Of datasets.'),
      rows_max: bound(),
      tag: Text.max(1000)
        .regex(/^[^,]*(,[^,]*){0,19}$/, 'names at most 20 tags')
        .optional()
        .openapi({ description: 'One tag, or up to 20 separated by commas: all of them.' }),
      mirror: flag.optional(),
      liked_by: Text.max(96).optional().openapi({ description: 'Username: only what they like.' }),
      sort: z
        .enum(['updated', 'created', 'name', 'size', 'parameters', 'downloads', 'likes', 'trending'])
        .default('updated'),
    }),
  },
  responses: {
    200: json(schemas.RepoList, 'A page of repos'),
    ...problems('unauthenticated', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})

export const createRepo = createRoute({
  method: 'post',
  path: '/repos',
  operationId: 'createRepo',
  tags,
  summary: 'Create a repo with its first commit',
  request: { body: body(schemas.RepoCreate) },
  responses: {
    201: json(schemas.Repo, 'The repo'),
    ...problems(
      'unauthenticated',
      'insufficient-scope',
      'csrf-token-invalid',
      'forbidden',
      'invalid-request',
      'validation-failed',
      'invalid-name',
      'name-taken',
    ),
  },
})

export const getRepo = createRoute({
  method: 'get',
  path: P,
  operationId: 'getRepo',
  tags,
  summary: 'A repo; `ETag` stands for its settings',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.Repo, 'The repo'), ...ofRepo() },
})

export const updateRepo = createRoute({
  method: 'patch',
  path: P,
  operationId: 'updateRepo',
  tags,
  summary: 'Change settings of a repo',
  request: { params: RepoAddress, headers: IfMatch, body: body(schemas.RepoUpdate) },
  responses: { 200: json(schemas.Repo, 'The repo'), ...changing('precondition-failed') },
})

export const deleteRepo = createRoute({
  method: 'delete',
  path: P,
  operationId: 'deleteRepo',
  tags,
  summary: 'Delete a repo; it can be restored until the restore window has passed',
  description:
    'Signed addresses that this server answers stop at once. Presigned addresses of an object store cannot be revoked: ' +
    'downloads already issued work until `storage.s3.presign_ttl` has passed, uploads until `lfs.upload_url_ttl`. With ' +
    '`storage.s3.download_mode` and `upload_mode` set to `proxy` there are none.',
  request: { params: RepoAddress, headers: IfMatch },
  responses: { 204: empty('Deleted'), ...changing('precondition-failed') },
})

export const listDeletedRepos = createRoute({
  method: 'get',
  path: '/me/deleted-repos',
  operationId: 'listDeletedRepos',
  tags,
  summary: 'Repos that the caller can restore, the last deleted first',
  request: { query: PageQuery },
  responses: {
    200: json(schemas.DeletedRepoList, 'A page of repos'),
    ...problems('unauthenticated', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})

export const restoreRepo = createRoute({
  method: 'post',
  path: `${P}/restore`,
  operationId: 'restoreRepo',
  tags,
  summary: 'Restore the repo that was deleted from this address last',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.Repo, 'The repo'), ...changing('name-taken', 'state-conflict') },
})

export const renameRepo = createRoute({
  method: 'post',
  path: `${P}/rename`,
  operationId: 'renameRepo',
  tags,
  summary: 'Rename a repo; its old address leads to it until the name is used again',
  request: { params: RepoAddress, body: body(schemas.RenameRequest) },
  responses: { 200: json(schemas.Repo, 'The repo'), ...changing('invalid-name', 'name-taken') },
})

export const transferRepo = createRoute({
  method: 'post',
  path: `${P}/transfer`,
  operationId: 'transferRepo',
  tags,
  summary: 'Move a repo to another namespace',
  request: { params: RepoAddress, body: body(schemas.TransferRequest) },
  responses: { 200: json(schemas.Repo, 'The repo'), ...changing('name-taken', 'quota-exceeded') },
})
