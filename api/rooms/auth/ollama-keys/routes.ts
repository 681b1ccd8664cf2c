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

const OllamaKey = z
  .object({
    id: z.string(),
    name: z.string(),
    public_key: z.string(),
    fingerprint: z.string(),
    created_at: Time,
    last_used_at: Time.optional(),
  })
  .openapi('OllamaKey')

export type OllamaKey = z.input<typeof OllamaKey>

const OllamaKeyCreate = z
  .strictObject({ name: oneLine(z.string().min(1).max(100)), public_key: z.string().min(1).max(1000) })
  .openapi('OllamaKeyCreate')

const tags = ['tokens']
const account = [
  ...(['bad-credentials', 'token-expired', 'unauthenticated', 'forbidden', 'insufficient-scope'] as const),
] as const
const changed = [...account, 'csrf-token-invalid'] as const

export const listOllamaKeys = createRoute({
  method: 'get',
  path: '/me/ollama-keys',
  operationId: 'listOllamaKeys',
  tags,
  responses: {
    200: json(listOf(OllamaKey, 'OllamaKeyList'), 'the saved keys of the caller, newest first; 20 at most'),
    ...problems(...account),
  },
})

export const createOllamaKey = createRoute({
  method: 'post',
  path: '/me/ollama-keys',
  operationId: 'createOllamaKey',
  tags,
  request: { body: body(OllamaKeyCreate) },
  responses: {
    201: json(OllamaKey, 'the saved key'),
    ...problems(...changed, 'invalid-request', 'validation-failed', 'already-exists'),
  },
})

export const deleteOllamaKey = createRoute({
  method: 'delete',
  path: '/me/ollama-keys/{id}',
  operationId: 'deleteOllamaKey',
  tags,
  request: { params: z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) }) },
  responses: { 204: empty('deleted'), ...problems(...changed, 'not-found') },
})
