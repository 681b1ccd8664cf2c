import { namePattern, scopes } from '../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  RepoRef,
  Time,
  z,
} from '../../core/http/contract.ts'

const Name = z.string().regex(namePattern)

const FencedRepo = z.strictObject({ ...RepoRef.shape, ns: Name, name: Name }).openapi('FencedRepo')

const fence = {
  repos: z.array(FencedRepo).min(1).max(100).optional(),
  namespaces: z.array(Name).min(1).max(100).optional(),
}

export const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    ...fence,
    prefix: z.string(),
    parent_id: z
      .string()
      .optional()
      .openapi({ description: 'The token it was made with, which it ends with.' }),
    created_at: Time,
    last_used_at: Time.optional(),
    expires_at: Time.optional(),
  })
  .openapi('Token')

export const TokenList = listOf(Token, 'TokenList')
export const TokenCreated = Token.extend({ secret: z.string() }).openapi('TokenCreated')

const TokenCreate = z
  .strictObject({
    name: oneLine(z.string().min(1).max(100)),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .refine((list) => new Set(list).size === list.length, 'names a scope twice'),
    ...fence,
    expires_at: z.iso.datetime({ offset: true }).optional(),
  })
  .openapi('TokenCreate')

export const DeviceRequest = z
  .object({
    user_code: z.string(),
    client_name: z.string(),
    ip: z.string(),
    scopes: z.array(z.enum(scopes)),
    created_at: Time,
    expires_at: Time,
  })
  .openapi('DeviceRequest')

const UserCode = z.string().min(1).max(32).openapi({ example: 'BCDF-GHJK' })
const DeviceDecision = z
  .strictObject({ user_code: UserCode, decision: z.enum(['approve', 'deny']) })
  .openapi('DeviceDecision')

const tags = ['tokens']
const account = [
  ...(['bad-credentials', 'token-expired', 'unauthenticated', 'forbidden', 'insufficient-scope'] as const),
] as const
const changed = [...account, 'csrf-token-invalid'] as const
const bodied = ['invalid-request', 'validation-failed'] as const

export const listTokens = createRoute({
  method: 'get',
  path: '/me/tokens',
  operationId: 'listTokens',
  tags,
  request: { query: PageQuery },
  responses: {
    200: json(TokenList, 'the tokens of the caller, newest first'),
    ...problems(...account, 'invalid-cursor', 'validation-failed'),
  },
})

export const createToken = createRoute({
  method: 'post',
  path: '/me/tokens',
  operationId: 'createToken',
  tags,
  request: { body: body(TokenCreate) },
  responses: {
    201: json(TokenCreated, 'the token with its secret, shown this once'),
    ...problems(...changed, ...bodied, 'name-taken', 'fresh-sign-in-required'),
  },
})

export const revokeToken = createRoute({
  method: 'delete',
  path: '/me/tokens/{id}',
  operationId: 'revokeToken',
  tags,
  request: { params: z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) }) },
  responses: { 204: empty('revoked'), ...problems(...changed, 'not-found') },
})

export const getDeviceRequest = createRoute({
  method: 'get',
  path: '/me/device',
  operationId: 'getDeviceRequest',
  tags,
  request: { query: z.object({ user_code: UserCode }) },
  responses: {
    200: json(DeviceRequest, 'the device that waits under the code'),
    ...problems(...account, 'validation-failed', 'not-found'),
  },
})

export const decideDevice = createRoute({
  method: 'post',
  path: '/me/device',
  operationId: 'decideDevice',
  tags,
  smallBody: true,
  request: { body: body(DeviceDecision) },
  responses: { 204: empty('decided'), ...problems(...changed, ...bodied, 'not-found') },
})
