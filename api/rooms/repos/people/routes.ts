import { accessRequestStatuses } from '../../../../shared/vocabulary.ts'
import { body, createRoute, json, PageQuery, RepoAddress, z } from '../../../core/http/contract.ts'
import { changing, IfMatch, ofRepo, P, tags } from '../routes.ts'
import * as schemas from '../schemas.ts'

export const likeRepo = createRoute({
  method: 'post',
  path: `${P}/like`,
  operationId: 'likeRepo',
  tags,
  summary: 'Like a repo',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.LikeStatus, 'The like'), ...changing() },
})

export const unlikeRepo = createRoute({
  method: 'delete',
  path: `${P}/like`,
  operationId: 'unlikeRepo',
  tags,
  summary: 'Take a like back',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.LikeStatus, 'The like'), ...changing() },
})

export const listLikers = createRoute({
  method: 'get',
  path: `${P}/likers`,
  operationId: 'listLikers',
  tags,
  summary: 'Who likes a repo, the latest first',
  request: { params: RepoAddress, query: PageQuery },
  responses: {
    200: json(schemas.LikerList, 'A page of people'),
    ...ofRepo('invalid-cursor', 'validation-failed'),
  },
})

export const getStats = createRoute({
  method: 'get',
  path: `${P}/stats`,
  operationId: 'getStats',
  tags,
  summary: 'Downloads of a repo per day, and its size',
  description:
    'A download is one fetch of a file that the repo is loaded by, or one by git or git-lfs. It counts once in 5 minutes for each user, or for each address of anonymous callers.',
  request: {
    params: RepoAddress,
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(365).default(30) }),
  },
  responses: { 200: json(schemas.RepoStats, 'The days'), ...ofRepo('validation-failed') },
})

export const getCollaborators = createRoute({
  method: 'get',
  path: `${P}/collaborators`,
  operationId: 'getCollaborators',
  tags,
  summary: 'Who has a role on this repo alone',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.CollaboratorList, 'All collaborators'), ...ofRepo() },
})

export const setCollaborators = createRoute({
  method: 'put',
  path: `${P}/collaborators`,
  operationId: 'setCollaborators',
  tags,
  summary: 'Replace the collaborators',
  request: { params: RepoAddress, headers: IfMatch, body: body(schemas.CollaboratorListUpdate) },
  responses: { 200: json(schemas.CollaboratorList, 'All collaborators'), ...changing('precondition-failed') },
})

export const listAccessRequests = createRoute({
  method: 'get',
  path: `${P}/access-requests`,
  operationId: 'listAccessRequests',
  tags,
  summary: 'Access requests, the newest first',
  request: {
    params: RepoAddress,
    query: PageQuery.extend({ status: z.enum(accessRequestStatuses).optional() }),
  },
  responses: {
    200: json(schemas.AccessRequestList, 'A page of access requests'),
    ...ofRepo('invalid-cursor', 'validation-failed'),
  },
})

export const createAccessRequest = createRoute({
  method: 'post',
  path: `${P}/access-requests`,
  operationId: 'createAccessRequest',
  tags,
  summary: 'Ask for access to the files of a gated repo',
  request: { params: RepoAddress, body: body(schemas.AccessRequestCreate) },
  responses: {
    201: json(schemas.AccessRequest, 'The request'),
    ...changing('already-exists', 'state-conflict'),
  },
})

export const decideAccessRequest = createRoute({
  method: 'patch',
  path: `${P}/access-requests/{id}`,
  operationId: 'decideAccessRequest',
  tags,
  summary: 'Accept or reject an access request',
  request: {
    params: RepoAddress.extend({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) }),
    body: body(schemas.AccessRequestDecision),
  },
  responses: { 200: json(schemas.AccessRequest, 'The request'), ...changing('state-conflict') },
})
