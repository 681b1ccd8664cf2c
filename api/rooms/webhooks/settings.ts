import { eq } from 'drizzle-orm'
import type { WebhookEvent } from '../../../shared/vocabulary.ts'
import { requireAccount, requireFresh } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { checkTarget, guardFor, OutboundError, type Lookup } from '../../platform/net/index.ts'
import { invalidField, Problem } from '../../platform/problems/index.ts'
import { findWebhook, type Webhook } from './queries.ts'
import { requireWebhook } from './require.ts'
import { checkSecret, newSecret, sealSecret } from './secret.ts'
import { setWatched, type Watch } from './watched.ts'

/** What a webhook is; what is left out of a change stays. */
export interface WebhookSettings {
  url?: string | undefined
  watched?: Watch[] | undefined
  events?: WebhookEvent[] | undefined
  active?: boolean | undefined
  /** Empty: none, and nothing is signed. */
  secret?: string | undefined
  /** Sends the secret as `X-Webhook-Secret`, too. */
  secretHeader?: boolean | undefined
}

export interface NewWebhook extends WebhookSettings {
  url: string
  watched: Watch[]
  events: WebhookEvent[]
}

/** Each costs rows in the transactions of what it watches. */
const MAX_PER_USER = 100
const MAX_URL = 2048

/**
 * Registers a webhook of the caller's; without a secret it gets one. What it tells is what the caller may know at the time.
 * Answers it with its secret, which is shown this once. Problems: `validation-failed` for an address that requests may not
 * be sent to, `repo-not-found`, `forbidden`, `state-conflict` for one too many.
 */
export async function createWebhook(
  ctx: Ctx,
  wanted: NewWebhook,
  lookup?: Lookup,
): Promise<{ webhook: Webhook; secret: string }> {
  const user = requireAccount(ctx.actor, 'write')
  const secret = wanted.secret ?? newSecret()
  if (secret !== '') checkSecret(secret)
  await requireTarget(ctx, wanted.url, lookup)
  const webhook = await ctx.db.write(async (tx) => {
    const { webhooks } = tx.t
    if ((await tx.q.$count(webhooks, eq(webhooks.user_id, user.id))) >= MAX_PER_USER)
      throw new Problem('state-conflict', { detail: `You have ${MAX_PER_USER} webhooks; delete one first.` })
    const id = newId()
    const now = ctx.now()
    await tx.q.insert(webhooks).values({
      id,
      user_id: user.id,
      url: wanted.url,
      events: eventsOf(wanted.events),
      secret: secret === '' ? null : sealSecret(ctx, id, secret),
      secret_header: wanted.secretHeader ?? false,
      active: wanted.active ?? true,
      created_at: now,
      updated_at: now,
    })
    await setWatched(tx, ctx, id, wanted.watched)
    await auditWebhook(tx, ctx, 'webhook.create', { id, url: wanted.url })
    return written(tx, id)
  })
  return { webhook, secret }
}

/**
 * Changes a webhook; switched on again or sent elsewhere, it is given another three days. Another secret needs a fresh
 * sign-in. Problems as of `createWebhook`, and `not-found`, `fresh-sign-in-required`.
 */
export async function updateWebhook(
  ctx: Ctx,
  id: string,
  change: WebhookSettings,
  lookup?: Lookup,
): Promise<Webhook> {
  const { url, watched, events, active, secret, secretHeader } = change
  const { webhook } = await requireWebhook(ctx, id, 'write')
  if (secret) checkSecret(secret)
  if (url !== undefined && url !== webhook.url) await requireTarget(ctx, url, lookup)
  return ctx.db.write(async (tx) => {
    const { webhook: now, user } = await requireWebhook(ctx, webhook.id, 'write', tx)
    if (now.user_id !== user.id) refuseToShowSecret(now, change)
    if (secret !== undefined) requireFresh(user, ctx.now())
    const { webhooks } = tx.t
    const isNew = (active && !now.active) || (url !== undefined && url !== now.url)
    const sealed = secret === undefined ? now.secret : secret === '' ? null : sealSecret(ctx, now.id, secret)
    await tx.q
      .update(webhooks)
      .set({
        updated_at: ctx.now(),
        secret: sealed,
        url: url ?? now.url,
        events: events ? eventsOf(events) : now.events,
        secret_header: secretHeader ?? now.secret_header,
        active: active ?? now.active,
        failing_since: isNew ? null : now.failing_since,
      })
      .where(eq(webhooks.id, now.id))
    if (watched) await setWatched(tx, ctx, now.id, watched)
    await auditWebhook(tx, ctx, 'webhook.update', { id: now.id, url: url ?? now.url })
    return written(tx, now.id)
  })
}

/** Others than its maker may not have the secret sent to where they choose. */
function refuseToShowSecret(now: Webhook, { url = now.url, secret, secretHeader }: WebhookSettings): void {
  if (now.secret === null || secret !== undefined) return
  const isSentThere = now.secret_header && url === now.url
  if ((secretHeader ?? now.secret_header) && !isSentThere)
    throw invalidField('secret', 'give a new one: the present one is known to its maker alone', 'required')
}

/** Deletes a webhook with all its deliveries. Problem `not-found`. */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.write(async (tx) => {
    const { webhook } = await requireWebhook(ctx, id, 'write', tx)
    await tx.q.delete(tx.t.webhooks).where(eq(tx.t.webhooks.id, webhook.id))
    await auditWebhook(tx, ctx, 'webhook.delete', webhook)
  })
}

async function requireTarget({ config }: Ctx, url: string, lookup?: Lookup): Promise<void> {
  if (url.length > MAX_URL) throw invalidField('url', `must be at most ${MAX_URL} characters`, 'too-long')
  // Parsers of addresses pass over some of them in silence, and Postgres holds no NUL.
  if (/[\p{Cc}\s]/u.test(url))
    throw invalidField('url', 'must have neither blanks nor control characters', 'invalid-url')
  try {
    await checkTarget(url, guardFor('webhook', config.security.outbound_allow, lookup))
  } catch (error) {
    throw error instanceof OutboundError ? invalidField('url', error.message, error.fault) : error
  }
}

function eventsOf(events: WebhookEvent[]): WebhookEvent[] {
  if (events.length === 0) throw invalidField('events', 'name at least one', 'empty')
  return [...new Set(events)]
}

async function written(tx: Tx, id: string): Promise<Webhook> {
  const webhook = await findWebhook(tx, id)
  if (!webhook) throw new Error(`the webhook ${id} was written, but is not there`)
  return webhook
}

/** By its origin: the rest of an address may be as good as a password. */
async function auditWebhook(
  tx: Tx,
  ctx: Ctx,
  action: `webhook.${string}`,
  { id, url }: { id: string; url: string },
): Promise<void> {
  await audit(tx, ctx, { action, target: { type: 'webhook', id, name: new URL(url).origin } })
}
