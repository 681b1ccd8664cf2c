import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  oneLine,
  problems,
  Time,
  z,
} from '../../../core/http/contract.ts'

const list = z.enum(['models', 'datasets'])
const name = oneLine(z.string().trim().min(1).max(100))
const query = oneLine(z.string().max(2000)).openapi({
  description: "Filters and order, as the address of the list's page has them behind the question mark.",
  example: 'task=text-generation&sort=likes',
})

const SavedSearch = z
  .object({ id: z.string(), list, name: z.string(), query: z.string(), created_at: Time })
  .openapi('SavedSearch')

export type SavedSearch = z.input<typeof SavedSearch>

const SavedSearchCreate = z.strictObject({ list, name, query }).openapi('SavedSearchCreate')
const SavedSearchUpdate = z
  .strictObject({ name: name.optional(), query: query.optional() })
  .openapi('SavedSearchUpdate')

const tags = ['search']
const Id = z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })
const account = [
  'bad-credentials',
  'token-expired',
  'unauthenticated',
  'forbidden',
  'insufficient-scope',
] as const
const changed = [...account, 'csrf-token-invalid'] as const
const written = [...changed, 'invalid-request', 'validation-failed', 'already-exists'] as const

export const listSavedSearches = createRoute({
  method: 'get',
  path: '/me/searches',
  operationId: 'listSavedSearches',
  tags,
  responses: {
    200: json(
      listOf(SavedSearch, 'SavedSearchList'),
      'the saved searches of the caller, by name; 100 at most',
    ),
    ...problems(...account),
  },
})

export const createSavedSearch = createRoute({
  method: 'post',
  path: '/me/searches',
  operationId: 'createSavedSearch',
  tags,
  request: { body: body(SavedSearchCreate) },
  responses: { 201: json(SavedSearch, 'the saved search'), ...problems(...written) },
})

export const updateSavedSearch = createRoute({
  method: 'patch',
  path: '/me/searches/{id}',
  operationId: 'updateSavedSearch',
  tags,
  request: { params: Id, body: body(SavedSearchUpdate) },
  responses: { 200: json(SavedSearch, 'the saved search'), ...problems(...written, 'not-found') },
})

export const deleteSavedSearch = createRoute({
  method: 'delete',
  path: '/me/searches/{id}',
  operationId: 'deleteSavedSearch',
  tags,
  request: { params: Id },
  responses: { 204: empty('deleted'), ...problems(...changed, 'not-found') },
})
