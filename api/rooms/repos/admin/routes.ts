import { body, createRoute, json, problems, z } from '../../../core/http/contract.ts'
import * as schemas from '../schemas.ts'

export const updateRepoAsAdmin = createRoute({
  method: 'patch',
  path: '/admin/repos/{id}',
  operationId: 'updateRepoAsAdmin',
  tags: ['admin'],
  summary: 'Keep the content of a repo back, or give it out again',
  request: {
    params: z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) }),
    body: body(schemas.AdminRepoUpdate),
  },
  responses: {
    200: json(schemas.Repo, 'The repo'),
    ...problems(
      'unauthenticated',
      'forbidden',
      'insufficient-scope',
      'csrf-token-invalid',
      'invalid-request',
      'validation-failed',
      'not-found',
      'repo-not-found',
    ),
  },
})
