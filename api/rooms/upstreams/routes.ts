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
} from '../../core/http/contract.ts'
import { UPSTREAM_ID } from './upstream.ts'

const UpstreamId = z
  .string()
  .regex(UPSTREAM_ID)
  .openapi({ description: 'a-z, 0-9, - and _; begins and ends with a letter or digit.', example: 'partner' })

const Finding = z.object({
  name: z.enum(['reachable', 'token', 'git', 'limit', 'clock']),
  ok: z.boolean(),
  message: z.string(),
})

export const Upstream = z
  .object({
    id: z.string(),
    name: z.string(),
    base_url: z.string(),
    enabled: z.boolean(),
    viewer_url: z.string(),
    namespace_prefix: z.string(),
    has_instance_token: z.boolean(),
    configured: z.boolean().openapi({ description: 'Defined by the configuration; read-only here.' }),
    healthy: z.boolean().optional().openapi({ description: 'Result of the last check.' }),
    checked_at: Time.optional(),
    findings: z.array(Finding).optional(),
    paused_until: Time.optional().openapi({ description: 'The upstream limits requests until then.' }),
  })
  .openapi('Upstream')

const UpstreamList = listOf(Upstream, 'UpstreamList')
const url = z.string().min(1).max(2000)
const name = oneLine(z.string().min(1).max(100))
const prefix = z.string().regex(/^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,39})?$/)
const secret = z.string().min(1).max(1000)

const UpstreamCreate = z
  .strictObject({
    id: UpstreamId,
    name: name.optional(),
    base_url: url,
    enabled: z.boolean().optional(),
    viewer_url: url.optional(),
    namespace_prefix: prefix.optional(),
    token: secret.optional().openapi({ description: 'Token of the instance; stored sealed, never shown.' }),
  })
  .openapi('UpstreamCreate')

const UpstreamUpdate = z
  .strictObject({
    name: name.optional(),
    base_url: url
      .optional()
      .openapi({ description: 'A new address removes the token, unless one is given.' }),
    enabled: z.boolean().optional(),
    viewer_url: url.nullable().optional(),
    namespace_prefix: prefix.optional(),
    token: secret.nullable().optional(),
  })
  .openapi('UpstreamUpdate')

const UpstreamTokenStatus = z
  .object({
    upstream: z.string(),
    saved: z.boolean(),
    saved_at: Time.optional(),
    checked_at: Time.optional(),
    valid: z.boolean().optional().openapi({ description: 'What the upstream last said of it.' }),
  })
  .openapi('UpstreamTokenStatus')

const tags = ['upstreams']
const account = [
  'bad-credentials',
  'token-expired',
  'unauthenticated',
  'forbidden',
  'insufficient-scope',
] as const
const changed = [...account, 'csrf-token-invalid', 'validation-failed'] as const
const OfUpstream = z.object({ upstream: z.string().openapi({ param: { name: 'upstream', in: 'path' } }) })
const OfId = z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) })

export const listUpstreams = createRoute({
  method: 'get',
  path: '/upstreams',
  operationId: 'listUpstreams',
  tags,
  responses: {
    200: json(UpstreamList, 'the upstreams that people may read'),
    ...problems('unauthenticated', 'insufficient-scope'),
  },
})

export const listAdminUpstreams = createRoute({
  method: 'get',
  path: '/admin/upstreams',
  operationId: 'listAdminUpstreams',
  tags: ['admin'],
  responses: {
    200: json(UpstreamList, 'every upstream, with the result of its last check'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope'),
  },
})

export const createUpstream = createRoute({
  method: 'post',
  path: '/admin/upstreams',
  operationId: 'createUpstream',
  tags: ['admin'],
  request: { body: body(UpstreamCreate) },
  responses: { 201: json(Upstream, 'the new upstream'), ...problems(...changed, 'already-exists') },
})

export const updateUpstream = createRoute({
  method: 'patch',
  path: '/admin/upstreams/{id}',
  operationId: 'updateUpstream',
  tags: ['admin'],
  request: { params: OfId, body: body(UpstreamUpdate) },
  responses: {
    200: json(Upstream, 'the changed upstream'),
    ...problems(...changed, 'not-found', 'state-conflict'),
  },
})

export const deleteUpstream = createRoute({
  method: 'delete',
  path: '/admin/upstreams/{id}',
  operationId: 'deleteUpstream',
  tags: ['admin'],
  request: { params: OfId },
  responses: {
    204: empty('removed; its mirrors stay'),
    ...problems(...changed, 'not-found', 'state-conflict'),
  },
})

export const checkUpstream = createRoute({
  method: 'post',
  path: '/admin/upstreams/{id}/check',
  operationId: 'checkUpstream',
  tags: ['admin'],
  request: { params: OfId },
  responses: { 200: json(Upstream, 'what was found'), ...problems(...changed, 'not-found') },
})

export const getUpstreamToken = createRoute({
  method: 'get',
  path: '/me/upstream-tokens/{upstream}',
  operationId: 'getUpstreamToken',
  tags,
  request: { params: OfUpstream },
  responses: {
    200: json(UpstreamTokenStatus, 'what is saved; never the token'),
    ...problems(...account, 'not-found'),
  },
})

export const saveUpstreamToken = createRoute({
  method: 'put',
  path: '/me/upstream-tokens/{upstream}',
  operationId: 'saveUpstreamToken',
  tags,
  request: { params: OfUpstream, body: body(z.strictObject({ token: secret }).openapi('UpstreamTokenSet')) },
  responses: { 200: json(UpstreamTokenStatus, 'saved'), ...problems(...changed, 'not-found') },
})

export const deleteUpstreamToken = createRoute({
  method: 'delete',
  path: '/me/upstream-tokens/{upstream}',
  operationId: 'deleteUpstreamToken',
  tags,
  request: { params: OfUpstream },
  responses: { 204: empty('deleted'), ...problems(...account, 'csrf-token-invalid') },
})
