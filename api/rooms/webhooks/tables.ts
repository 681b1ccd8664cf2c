import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { webhookDeliveryStatuses, type WebhookEvent } from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Webhooks, what they watch, and every message that was or is to be sent. */
export const webhookTables = (
  c: Columns,
  repos: { id: AnySQLiteColumn },
  namespaces: { id: AnySQLiteColumn },
) => {
  const webhooks = c.table(
    'webhooks',
    {
      id: c.id(),
      /** Whose rights decide at each delivery what it may contain. */
      user_id: c.text().notNull(),
      url: c.text().notNull(),
      events: c.json<WebhookEvent[]>().notNull(),
      /** Sealed with the instance key. */
      secret: c.text(),
      /** The secret goes along as it is, too, as the public hub sends it. */
      secret_header: c.bool().notNull(),
      active: c.bool().notNull(),
      /** Since when every attempt has failed; three days of it switch the webhook off. */
      failing_since: c.time(),
      created_at: c.time().notNull(),
      updated_at: c.time().notNull(),
    },
    (t) => [c.index('webhooks_user').on(t.user_id)],
  )
  const ofWebhook = () =>
    c
      .text()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' })
  return {
    webhooks,
    /** A namespace with all its repos, or one repo. */
    webhook_watches: c.table(
      'webhook_watches',
      {
        id: c.id(),
        webhook_id: ofWebhook(),
        namespace_id: c.text().references(() => namespaces.id, { onDelete: 'cascade' }),
        repo_id: c.text().references(() => repos.id, { onDelete: 'cascade' }),
      },
      (t) => [
        c.index('webhook_watches_webhook').on(t.webhook_id),
        c.index('webhook_watches_namespace').on(t.namespace_id),
        c.index('webhook_watches_repo').on(t.repo_id),
      ],
    ),
    webhook_deliveries: c.table(
      'webhook_deliveries',
      {
        /** Stays the same over all attempts: receivers tell repeats by it. */
        id: c.id(),
        webhook_id: ofWebhook(),
        event: c.text().notNull(),
        /** What happened, in ids and facts of that moment; the body is made of it when it is first sent. */
        subject: c.json<Record<string, unknown>>().notNull(),
        status: c.oneOf([...webhookDeliveryStatuses]).notNull(),
        attempts: c.int().notNull(),
        next_attempt_at: c.time(),
        request: c.json<{ headers: Record<string, string>; body: string }>(),
        response: c.json<{
          status: number
          headers: Record<string, string>
          body: string
          duration_ms: number
        }>(),
        error: c.text(),
        created_at: c.time().notNull(),
      },
      (t) => [
        c.index('webhook_deliveries_webhook').on(t.webhook_id, t.id),
        c.index('webhook_deliveries_created').on(t.created_at),
      ],
    ),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof webhookTables> {}
}
