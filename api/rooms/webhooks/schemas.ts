import { webhookDeliveryStatuses, webhookEvents } from '../../../shared/vocabulary.ts'
import { RepoRef, Time, z } from '../../core/http/contract.ts'

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

export const WebhookCreated = Webhook.extend({
  secret: z
    .string()
    .optional()
    .openapi({ description: 'What deliveries are signed with, unless they are not. Never shown again.' }),
}).openapi('WebhookCreated')

const secret = z.string().max(256)

export const WebhookCreate = z
  .strictObject({
    ...fields,
    active: fields.active.optional(),
    secret_header: fields.secret_header.optional(),
    secret: secret
      .optional()
      .openapi({ description: 'Made here when left out; empty: deliveries are not signed.' }),
  })
  .openapi('WebhookCreate')

export const WebhookUpdate = z
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
