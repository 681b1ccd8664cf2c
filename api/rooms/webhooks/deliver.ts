import { eq } from 'drizzle-orm'
import { namespaceRole, type UserActor } from '../../core/access/index.ts'
import { actorOfSigner } from '../auth/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { RepoSubject, Subject } from '../../core/events/index.ts'
import { DeliveryInput, deliveryTicket } from './delivery-job.ts'
import { defineJob, type JobKind } from '../../core/jobs/index.ts'
import type { Lookup } from '../../platform/net/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { count } from '../../platform/telemetry/index.ts'
import { requireRepoById } from '../repos/index.ts'
import { TEST } from './redeliver.ts'
import { begin, drop, record } from './outcome.ts'
import { payloadOf } from './payload.ts'
import { findWebhook, type DeliveryRow, type Webhook } from './queries.ts'
import { openSecret } from './secret.ts'
import { headersOf, send, type Attempt } from './send.ts'
import type { z } from 'zod'

/** Why a delivery is not sent at all. */
class Dropped extends Error {
  override name = 'Dropped'
}

/**
 * One attempt at one delivery. The webhook's maker must still administer what it reports; the body is made when it is
 * sent first and stays the same. A worker that dies after sending has it sent again, under the same id.
 *
 * @param lookup stands in for the name server
 */
export function webhookDeliver(lookup?: Lookup): JobKind<z.output<typeof DeliveryInput>> {
  return defineJob({
    ...deliveryTicket,
    input: DeliveryInput,
    // Receivers may take their time, all of them at once.
    share: 0.5,
    async run(ctx, { delivery_id: id, attempt: n }, job) {
      const delivery = await findById(ctx, id)
      const webhook = delivery && (await findWebhook(ctx.db, delivery.webhook_id))
      if (!webhook) return { status: 'gone' }
      try {
        const attempt = await attemptOf(ctx, webhook, delivery)
        const request = { headers: headersOf(attempt).shown, body: attempt.body }
        if (!(await job.write((tx) => begin(tx, { id, n, request })))) return { status: 'over' }
        const outcome = await send(ctx.config, attempt, job.signal, lookup)
        const status = await job.write((tx) => record(tx, ctx, { delivery, n, outcome }))
        if (status === 'succeeded' || status === 'retrying')
          count('arsenal.webhook.deliveries', { outcome: status })
        else count('arsenal.webhook.deliveries', { outcome: 'failed' })
        return { status }
      } catch (error) {
        if (!(error instanceof Dropped)) throw error
        await job.write((tx) => drop(tx, id, error.message))
        count('arsenal.webhook.deliveries', { outcome: 'failed' })
        return { status: 'failed' }
      }
    },
  })
}

async function findById({ db: { q, t } }: Ctx, id: string): Promise<DeliveryRow | undefined> {
  const { webhook_deliveries: d } = t
  const [row] = await q.select().from(d).where(eq(d.id, id))
  return row
}

async function attemptOf(ctx: Ctx, webhook: Webhook, delivery: DeliveryRow): Promise<Attempt> {
  const subject = delivery.subject as unknown as Subject
  if (!webhook.active && !subject.isManual) throw new Dropped('The webhook is switched off.')
  const report = await reportFor(ctx, webhook, subject)
  const secret = webhook.secret === null ? undefined : openSecret(ctx, webhook.id, webhook.secret)
  if (webhook.secret !== null && secret === undefined)
    throw new Dropped('Its secret can no longer be read; give it a new one.')
  const made = () => payloadOf(ctx, { webhookId: webhook.id, event: delivery.event, ...report })
  return {
    deliveryId: delivery.id,
    url: webhook.url,
    body: delivery.request?.body ?? made(),
    secret,
    secretHeader: webhook.secret_header,
    at: ctx.now(),
  }
}

/** The repo it is about, if the webhook's maker still administers it, and where its default branch is. */
async function reportFor(ctx: Ctx, webhook: Webhook, { repo, ...subject }: Subject) {
  try {
    const actor = await actorOfSigner(ctx, { userId: webhook.user_id })
    if (!repo) return { subject: { ...subject, repo: standIn(actor, webhook) }, head: undefined }
    const { headCommit } = await requireRepoById({ ...ctx, actor }, repo.id, 'repo.webhooks')
    return { subject: { ...subject, repo }, head: headCommit ?? undefined }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    throw new Dropped('The maker of the webhook no longer administers this.')
  }
}

/** Tests of a webhook that watches a namespace name a repo of it that does not exist: clients want one. */
function standIn(actor: UserActor, { watched }: Webhook): RepoSubject {
  const space = watched.flatMap((one) => ('namespaceId' in one ? one : []))[0]
  if (!space || namespaceRole(actor, { id: space.namespaceId }) !== 'admin') throw new Problem('forbidden')
  const { namespaceId: id, ns } = space
  return { id, ownerId: id, type: 'model', ns, name: `webhook-${TEST}`, isPrivate: true }
}
