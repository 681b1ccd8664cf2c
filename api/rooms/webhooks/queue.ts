import { and, desc, eq, isNull, or } from 'drizzle-orm'
import { system } from '../../core/access/index.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import type { Change, ChangeListener, Publisher, RepoSubject, Subject } from '../../core/events/index.ts'
import { enqueue } from '../../core/jobs/index.ts'
import { deliveryTicket } from './delivery-job.ts'

/** reliability.md §4; what comes beyond is dropped. */
const MAX_PER_DAY = 1000
const DAY_MS = 24 * 3_600_000

/** Queues a delivery to every webhook that watches for such a change. One query where there is none. */
export const queueDeliveries: ChangeListener = async (tx, ctx, change) => {
  const watchers = await watchersOf(tx, change)
  if (watchers.length === 0) return
  const facts = (await change.facts?.()) ?? {}
  for (const { webhookId, repo } of watchers) {
    if (await isSpent(tx, webhookId, ctx.now()))
      ctx.log.warn({ webhook: webhookId }, 'a webhook has reached its daily delivery limit')
    else
      await queueDelivery(tx, ctx, {
        webhookId,
        event: change.event,
        subject: { ...facts, action: change.action, repo },
      })
  }
}

/** A delivery to be queued. `request` is given where the same body is to be sent again. */
export interface NewDelivery {
  webhookId: string
  event: string
  subject: Subject
  request?: { headers: Record<string, string>; body: string }
}

/** Writes a delivery and queues its first attempt; answers its id. */
export async function queueDelivery(
  tx: Tx,
  ctx: Publisher,
  { webhookId, event, subject, request }: NewDelivery,
): Promise<string> {
  const id = newId()
  const now = ctx.now()
  await tx.q.insert(tx.t.webhook_deliveries).values({
    id,
    webhook_id: webhookId,
    event,
    subject: { ...subject },
    status: 'queued',
    attempts: 0,
    next_attempt_at: now,
    request: request ?? null,
    created_at: now,
  })
  await enqueueAttempt(tx, ctx, { id, event, attempt: 1 }, now)
  return id
}

/** Queues an attempt of a delivery; each has its own job, which only admins of the instance see. */
export async function enqueueAttempt(
  tx: Tx,
  ctx: Publisher,
  { id, event, attempt }: { id: string; event: string; attempt: number },
  runAfter: Date,
): Promise<void> {
  const once = { dedupKey: `${id}/${attempt}`, createdBy: null, runAfter }
  await enqueue(tx, { ...ctx, actor: system }, deliveryTicket, { delivery_id: id, event, attempt }, once)
}

async function watchersOf(
  { q, t }: Tx,
  { repoId, event, alsoIn }: Change,
): Promise<{ webhookId: string; repo: RepoSubject }[]> {
  const { repos, namespaces, webhooks, webhook_watches: w, users } = t
  const isWatched = or(
    eq(w.repo_id, repos.id),
    eq(w.namespace_id, repos.namespace_id),
    alsoIn === undefined ? undefined : eq(w.namespace_id, alsoIn),
  )
  const rows = await q
    .select({
      webhookId: webhooks.id,
      events: webhooks.events,
      type: repos.type,
      ns: namespaces.name,
      name: repos.name,
      ownerId: repos.namespace_id,
      visibility: repos.visibility,
    })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .innerJoin(w, isWatched)
    .innerJoin(webhooks, eq(webhooks.id, w.webhook_id))
    // Webhooks of a disabled user rest until they are enabled.
    .innerJoin(users, and(eq(users.id, webhooks.user_id), eq(users.disabled, false)))
    .where(and(eq(repos.id, repoId), isNull(repos.purging_at), eq(webhooks.active, true)))
  // A webhook may watch both the repo and its namespace.
  const found = new Map(
    rows.filter(({ events }) => events.includes(event)).map((row) => [row.webhookId, row]),
  )
  return [...found.values()].map(({ webhookId, type, ns, name, ownerId, visibility }) => ({
    webhookId,
    repo: { id: repoId, type, ns, name, ownerId, isPrivate: visibility === 'private' },
  }))
}

/** Whether the webhook has had its deliveries of the last 24 hours. */
export async function isSpent({ q, t }: Tx, webhookId: string, now: Date): Promise<boolean> {
  const { webhook_deliveries: d } = t
  const [row] = await q
    .select({ at: d.created_at })
    .from(d)
    .where(eq(d.webhook_id, webhookId))
    .orderBy(desc(d.id))
    .limit(1)
    .offset(MAX_PER_DAY - 1)
  return row !== undefined && row.at.getTime() > now.getTime() - DAY_MS
}
