import { and, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Check } from '../../core/check.ts'
import { openSecret } from './secret.ts'

/** The longest wait between two attempts is a day, and a worker may be late by one. */
const OVERDUE_MS = 2 * 24 * 3_600_000

/** Secrets can be read, and no delivery has been forgotten. */
export const webhookCheck: Check = {
  name: 'webhooks',
  async *run(deps) {
    const { q, t } = deps.db
    const { webhooks, webhook_deliveries: d } = t
    const sealed = await q
      .select({ id: webhooks.id, secret: webhooks.secret })
      .from(webhooks)
      .where(isNotNull(webhooks.secret))
    for (const { id, secret } of sealed)
      if (secret !== null && openSecret(deps, id, secret) === undefined)
        yield {
          check: 'webhooks.secret',
          severity: 'error',
          message: `the secret of the webhook ${id} cannot be opened`,
        }
    const overdue = new Date(deps.now().getTime() - OVERDUE_MS)
    const lost = await q
      .select({ id: d.id })
      .from(d)
      .where(and(inArray(d.status, ['queued', 'retrying']), lt(d.next_attempt_at, overdue)))
      .limit(1000)
    for (const { id } of lost)
      yield {
        check: 'webhooks.delivery',
        severity: 'error',
        message: `the delivery ${id} should have been sent two days ago`,
      }
  },
}
