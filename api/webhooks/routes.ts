import { webhookDeliveryStatuses, webhookEvents } from '../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  PageQuery,
  problems,
  RepoRef,
  Time,
  z,
} from '../http/contract.ts'

const tags = ['webhooks']

const Watch = z
  .union([z.strictObject({ ns: z.string().max(96) }), z.strictObject({ repo: RepoRef })])
  .openapi('WebhookWatch')

const fields = {
  watched: z.array(Watch).min(1).max(20),
  url: z.string().min(1).max(2048),
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .max(webhookEvents.length)
    .refine((list) => new Set(list).size === list.length, 'names an event twice'),
  active: z.boolean(),
  secret_header: z
    .boolean()
    .openapi({ description: 'Sends the secret as `X-Webhook-Secret`, too, as the public hub does.' }),
}

export const Webhook = z
  .object({
    id: z.string(),
    ...fields,
    watched: z.array(Watch),
    has_secret: z.boolean(),
    created_at: Time,
    failing_since: Time.optional().openapi({ description: 'Since when every attempt has failed.' }),
    last_delivery: z
      .object({ id: z.string(), status: z.enum(webhookDeliveryStatuses), created_at: Time })
      .optional(),
  })
  .openapi('Webhook')

const WebhookCreated = Webhook.extend({
  secret: z
    .string()
    .optional()
    .openapi({ description: 'What deliveries are signed with, unless they are not. Never shown again.' }),
}).openapi('WebhookCreated')

const secret = z.string().max(256)

const WebhookCreate = z
  .strictObject({
    ...fields,
    active: fields.active.optional(),
    secret_header: fields.secret_header.optional(),
    secret: secret
      .optional()
      .openapi({ description: 'Made here when left out; empty: deliveries are not signed.' }),
  })
  .openapi('WebhookCreate')

const WebhookUpdate = z
  .strictObject({ ...fields, secret: secret.openapi({ description: 'Empty removes it.' }) })
  .partial()
  .openapi('WebhookUpdate')

export const WebhookDelivery = z
  .object({
    id: z
      .string()
      .openapi({ description: 'What receivers know it by: `webhook-id`, the same in each attempt.' }),
    event: z.string().openapi({ description: 'One of the events, or `test`.' }),
    status: z.enum(webhookDeliveryStatuses),
    attempts: z.int(),
    next_attempt_at: Time.optional(),
    request: z
      .object({ headers: z.record(z.string(), z.string()), body: z.string() })
      .openapi({ description: 'Of the last attempt; empty before the first.' }),
    response: z
      .object({
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        duration_ms: z.int(),
      })
      .optional(),
    error: z.string().optional(),
    created_at: Time,
  })
  .openapi('WebhookDelivery')

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
      ns: z.string().max(96).optional().openapi({ description: 'Those that watch this Namespace.' }),
      repo: z
        .string()
        .max(250)
        .regex(/^(models|datasets)\/[^/]+\/[^/]+$/, 'must be <type>/<ns>/<name>')
        .optional()
        .openapi({
          description: 'Those that watch this Repo by itself.',
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
  responses: { 200: json(Webhook, 'The webhook'), ...problems(...one, 'repo-not-found') },
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
  summary: 'What a webhook was told in the last 30 days, newest first',
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
