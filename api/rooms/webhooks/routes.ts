import { body, createRoute, empty, json, listOf, PageQuery, problems, z } from '../../core/http/contract.ts'
import { Webhook, WebhookCreate, WebhookCreated, WebhookDelivery, WebhookUpdate } from './schemas.ts'

const tags = ['webhooks']

const WebhookId = z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })
const DeliveryId = WebhookId.extend({
  delivery_id: z.uuid().openapi({ param: { name: 'delivery_id', in: 'path' } }),
})
const account = ['unauthenticated', 'forbidden', 'insufficient-scope'] as const
const one = [...account, 'not-found'] as const

export const listWebhooks = createRoute({
  method: 'get',
  path: '/webhooks',
  operationId: 'listWebhooks',
  tags,
  summary: 'Webhooks the caller can manage, newest first',
  request: {
    query: PageQuery.extend({
      ns: z.string().max(96).optional().openapi({ description: 'Those that watch this namespace.' }),
      repo: z
        .string()
        .max(250)
        .regex(/^(models|datasets)\/[^/]+\/[^/]+$/, 'must be <type>/<ns>/<name>')
        .optional()
        .openapi({
          description: 'Those that watch this repo by itself.',
          example: 'models/acme/tiny-bert',
        }),
    }),
  },
  responses: {
    200: json(listOf(Webhook, 'WebhookList'), 'A page of webhooks'),
    ...problems(...one, 'repo-not-found', 'invalid-cursor', 'validation-failed'),
  },
})

export const createWebhook = createRoute({
  method: 'post',
  path: '/webhooks',
  operationId: 'createWebhook',
  tags,
  summary: 'Register a webhook; its secret is shown in this answer alone',
  request: { body: body(WebhookCreate) },
  responses: {
    201: json(WebhookCreated, 'The webhook'),
    ...problems(...account, 'repo-not-found', 'state-conflict'),
  },
})

export const getWebhook = createRoute({
  method: 'get',
  path: '/webhooks/{id}',
  operationId: 'getWebhook',
  tags,
  summary: 'A webhook',
  request: { params: WebhookId },
  responses: { 200: json(Webhook, 'The webhook'), ...problems(...one) },
})

export const updateWebhook = createRoute({
  method: 'patch',
  path: '/webhooks/{id}',
  operationId: 'updateWebhook',
  tags,
  summary: 'Change a webhook, or switch it off or on',
  request: { params: WebhookId, body: body(WebhookUpdate) },
  responses: {
    200: json(Webhook, 'The webhook'),
    ...problems(...one, 'repo-not-found', 'fresh-sign-in-required'),
  },
})

export const deleteWebhook = createRoute({
  method: 'delete',
  path: '/webhooks/{id}',
  operationId: 'deleteWebhook',
  tags,
  summary: 'Delete a webhook with its deliveries',
  request: { params: WebhookId },
  responses: { 204: empty('Deleted'), ...problems(...one) },
})

export const listWebhookDeliveries = createRoute({
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  operationId: 'listWebhookDeliveries',
  tags,
  summary: 'Deliveries of a webhook in the last 30 days, newest first',
  request: { params: WebhookId, query: PageQuery },
  responses: {
    200: json(listOf(WebhookDelivery, 'WebhookDeliveryList'), 'A page of deliveries'),
    ...problems(...one, 'invalid-cursor', 'validation-failed'),
  },
})

export const redeliverWebhook = createRoute({
  method: 'post',
  path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  operationId: 'redeliverWebhook',
  tags,
  summary: 'Send the same message again, as a new delivery',
  request: { params: DeliveryId },
  responses: {
    202: json(WebhookDelivery, 'The new delivery, queued'),
    ...problems(...one, 'state-conflict', 'throttled'),
  },
})

export const testWebhook = createRoute({
  method: 'post',
  path: '/webhooks/{id}/test',
  operationId: 'testWebhook',
  tags,
  summary: 'Send a message of the event `test`, once',
  request: { params: WebhookId },
  responses: {
    202: json(WebhookDelivery, 'The delivery, queued'),
    ...problems(...one, 'repo-not-found', 'throttled'),
  },
})
