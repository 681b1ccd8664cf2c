import { and, desc, eq, isNull, or } from 'drizzle-orm'
import type { WebhookEvent } from '../../shared/vocabulary.ts'
import { system } from '../access/index.ts'
import type { Deps } from '../ctx.ts'
import { newId, type Tx } from '../db/index.ts'
import { enqueue } from '../jobs/index.ts'
import { deliveryTicket } from './delivery-job.ts'
import type { ChangeAction, ChangeFacts, RepoSubject, Subject } from './subject.ts'

/** Something that happened to a Repo. */
export interface Change {
  repoId: string
  event: WebhookEvent
  action: ChangeAction
  /** Read only when somebody watches. */
  facts?: () => ChangeFacts | Promise<ChangeFacts>
  /** A further Namespace whose watchers are told: the one a Repo moves to. */
  alsoIn?: string
}

type Publisher = Pick<Deps, 'db' | 'now' | 'log'>

/** reliability.md §4; what comes beyond is told to nobody. */
const MAX_PER_DAY = 1000
const DAY_MS = 24 * 3_600_000

/**
 * Queues a delivery to every webhook that watches for such a change, in its own transaction, so that the one exists only
 * with the other. One query where nobody watches. A Repo that is being made or purged tells nothing.
 */
export async function publish(tx: Tx, ctx: Publisher, change: Change): Promise<void> {
  const watchers = await watchersOf(tx, change)
  if (watchers.length === 0) return
  const facts = (await change.facts?.()) ?? {}
  for (const { webhookId, repo } of watchers) {
    if (await isSpent(tx, webhookId, ctx.now()))
      ctx.log.warn({ webhook: webhookId }, 'a webhook has had its deliveries of this day')
    else
      await queueDelivery(tx, ctx, {
        webhookId,
        event: change.event,
        subject: { ...facts, action: change.action, repo },
      })
  }
}

/** A ref that has moved: `from` absent means that it was made, `to` that it was deleted. */
interface Move {
  repoId: string
  name: string
  from?: string
  to?: string
}

/** Bounds what one push may have written down for each webhook. */
const MAX_REFS = 250

/** Publishes that refs of one Repo have moved, in the transaction that moves them. Oids are 40-hex. */
export async function publishMoves(tx: Tx, ctx: Publisher, moves: readonly Move[]): Promise<void> {
  const [first] = moves
  if (!first) return
  const refs = moves.slice(0, MAX_REFS).map(({ name, from = null, to = null }) => ({ ref: name, from, to }))
  await publish(tx, ctx, {
    repoId: first.repoId,
    event: 'repo.content',
    action: 'update',
    facts: () => ({ refs }),
  })
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

/** Queues an attempt of a delivery; each has its own Job, which nobody but admins of the instance sees. */
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
  // A webhook may watch both the Repo and its Namespace.
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
