import { limits } from '../../../../shared/vocabulary.ts'
import { body, createRoute, empty, json, RepoAddress, z } from '../../../core/http/contract.ts'
import { changing, reading, tags } from '../routes.ts'
import * as schemas from './schemas.ts'

const path = '/repos/{type}/{ns}/{name}/labels'
const OneLabel = RepoAddress.extend({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })

export const listLabels = createRoute({
  method: 'get',
  path,
  operationId: 'listLabels',
  tags,
  summary: 'The labels that sort discussions and pull requests',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.LabelList, `by name, at most ${limits.labels}`), ...reading() },
})

export const createLabel = createRoute({
  method: 'post',
  path,
  operationId: 'createLabel',
  tags,
  summary: 'Add a label',
  request: { params: RepoAddress, body: body(schemas.LabelCreate) },
  responses: {
    201: json(schemas.Label, 'the new label'),
    ...changing('already-exists', 'state-conflict'),
  },
})

export const updateLabel = createRoute({
  method: 'patch',
  path: `${path}/{id}`,
  operationId: 'updateLabel',
  tags,
  summary: 'Rename, recolour or describe a label',
  request: { params: OneLabel, body: body(schemas.LabelUpdate) },
  responses: { 200: json(schemas.Label, 'the label'), ...changing('not-found', 'already-exists') },
})

export const deleteLabel = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  operationId: 'deleteLabel',
  tags,
  summary: 'Delete a label, which takes it off all discussions',
  request: { params: OneLabel },
  responses: { 204: empty('gone'), ...changing('not-found') },
})
