import { optionalTime, time, type z } from '../../core/http/contract.ts'
import type { DeliveryRow, Watched, Webhook } from './queries.ts'
import type * as schemas from './schemas.ts'

type View<S extends z.ZodType> = z.output<S>

/** A webhook as the API shows it. */
export function viewWebhook(webhook: Webhook): View<typeof schemas.Webhook> {
  const { id, url, events, active, secret, secret_header, failing_since, last } = webhook
  return {
    id,
    watched: webhook.watched.map(watchOf),
    url,
    events,
    active,
    has_secret: secret !== null,
    secret_header,
    created_at: time(webhook.created_at),
    ...(failing_since ? { failing_since: time(failing_since) } : {}),
    ...(last
      ? { last_delivery: { id: last.id, status: last.status, created_at: time(last.created_at) } }
      : {}),
  }
}

const watchOf = (watched: Watched) =>
  'namespaceId' in watched
    ? { ns: watched.ns }
    : { repo: { type: watched.type, ns: watched.ns, name: watched.name } }

/** A delivery as the API shows it. */
export function viewDelivery(row: DeliveryRow): View<typeof schemas.WebhookDelivery> {
  const next_attempt_at = optionalTime(row.next_attempt_at)
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    ...(next_attempt_at === undefined ? {} : { next_attempt_at }),
    request: row.request ?? { headers: {}, body: '' },
    ...(row.response ? { response: row.response } : {}),
    ...(row.error === null ? {} : { error: row.error }),
    created_at: time(row.created_at),
  }
}
