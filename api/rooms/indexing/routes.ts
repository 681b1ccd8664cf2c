import { createRoute, json, RepoAddress, z } from '../../core/http/contract.ts'
import { ofRepo, P } from '../repos/routes.ts'
import * as schemas from './schemas.ts'

const tags = ['content']

export const getMetadata = createRoute({
  method: 'get',
  path: `${P}/metadata`,
  operationId: 'getMetadata',
  tags,
  summary: 'What the card and the files of a revision say',
  request: {
    params: RepoAddress,
    query: z.strictObject({
      rev: z.string().max(255).optional().openapi({ description: 'The default branch unless given.' }),
    }),
  },
  responses: {
    200: json(schemas.RepoMetadata, 'The metadata'),
    ...ofRepo('revision-not-found', 'invalid-revision', 'gated', 'validation-failed'),
  },
})

export const getDependencies = createRoute({
  method: 'get',
  path: `${P}/dependencies`,
  operationId: 'getDependencies',
  tags,
  summary: 'Repos that this one needs, and those that need it',
  request: { params: RepoAddress },
  responses: { 200: json(schemas.Dependencies, 'The dependencies'), ...ofRepo() },
})
