import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import type { RepoSubject, Subject } from '../../core/events/index.ts'
import { isSpent, queueDelivery } from './queue.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireRepoById } from '../repos/index.ts'
import { findDelivery, type DeliveryRow, type Webhook } from './queries.ts'
import { requireWebhook } from './require.ts'
import { visibleDeliveries } from './visible-deliveries.ts'

/** The event of a test. */
export const TEST = 'test'

/**
 * Queues a delivery that says nothing but that the webhook works, also of one that is switched off; it is sent once.
 * Problems `not-found`, `throttled` after the 1000 deliveries of a day.
 */
export async function testWebhook(ctx: Ctx, id: string): Promise<DeliveryRow> {
  const { webhook } = await requireWebhook(ctx, id, 'write')
  const repo = await watchedRepo(ctx, webhook)
  const subject: Subject = { action: 'update', isManual: true, ...(repo && { repo }) }
  return ctx.db.write((tx) => queue(tx, ctx, webhook, { event: TEST, subject }))
}

/**
 * Queues the same message again as a delivery of its own, also of a webhook that is switched off. Problems `not-found`,
 * `state-conflict` while the first is still under way, `throttled` after the 1000 deliveries of a day.
 */
export async function redeliver(ctx: Ctx, id: string, deliveryId: string): Promise<DeliveryRow> {
  return ctx.db.write(async (tx) => {
    const { webhook } = await requireWebhook(ctx, id, 'write', tx)
    const found = await findDelivery(tx, webhook.id, deliveryId.toLowerCase())
    const [old] = await visibleDeliveries(ctx, tx, webhook, found ? [found] : [])
    if (!old) throw new Problem('not-found', { detail: 'There is no such delivery.' })
    if (old.status !== 'succeeded' && old.status !== 'failed')
      throw new Problem('state-conflict', { detail: 'It is still under way and will be tried by itself.' })
    const subject = { ...(old.subject as unknown as Subject), isManual: true as const }
    const request = old.request ? { headers: {}, body: old.request.body } : undefined
    return queue(tx, ctx, webhook, { event: old.event, subject, ...(request && { request }) })
  })
}

type Message = Omit<Parameters<typeof queueDelivery>[2], 'webhookId'>

async function queue(tx: Tx, ctx: Ctx, { id: webhookId }: Webhook, message: Message): Promise<DeliveryRow> {
  if (await isSpent(tx, webhookId, ctx.now()))
    throw new Problem('throttled', {
      detail: 'Daily delivery limit reached. Retry in an hour.',
      retryAfterS: 3600,
    })
  const id = await queueDelivery(tx, ctx, { webhookId, ...message })
  const row = await findDelivery(tx, webhookId, id)
  if (!row) throw new Error(`the delivery ${id} was written, but is not there`)
  return row
}

/** The first repo a webhook watches by itself. */
async function watchedRepo(ctx: Ctx, { watched }: Webhook): Promise<RepoSubject | undefined> {
  const found = watched.flatMap((one) => ('repoId' in one ? one : []))[0]
  if (!found) return undefined
  const { id, type, ns, name, namespaceId, visibility } = await requireRepoById(
    ctx,
    found.repoId,
    'repo.webhooks',
  )
  return { id, type, ns, name, ownerId: namespaceId, isPrivate: visibility === 'private' }
}
