import { and, eq, exists, sql, type SQL } from 'drizzle-orm'
import {
  authoriseProfile,
  managedWebhooks,
  namespaceRole,
  policyOf,
  requireAccount,
} from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { findNamespace } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { findDeliveries, findWebhooks, type DeliveryRow, type Webhook } from './queries.ts'
import { requireWebhook } from './require.ts'
import { visibleDeliveries } from './visible-deliveries.ts'
import { following } from './watched.ts'

/** Which webhooks: those that watch this namespace or this repo by itself, or those the caller has registered. */
export interface WebhooksWanted {
  ns?: string | undefined
  repo?: RepoAddress | undefined
  mine?: boolean
}

export interface PageAfter {
  after?: string | undefined
  limit: number
}

/**
 * The webhooks the caller may manage, newest first; to instance admins those of others are shown by namespace or repo alone.
 * Problems `not-found`, `repo-not-found`, and `forbidden` for a namespace or repo the caller does not administer.
 */
export async function listWebhooks(
  ctx: Ctx,
  wanted: WebhooksWanted,
  { after, limit }: PageAfter,
): Promise<Page<Webhook, string>> {
  const user = requireAccount(ctx.actor, 'read')
  const { webhooks } = ctx.db.t
  const { ns, repo, mine } = wanted
  const isNarrow = ns !== undefined || repo !== undefined
  const filter = and(
    ns === undefined ? undefined : await watchesNamespace(ctx, ns),
    repo === undefined ? undefined : await watchesRepo(ctx, repo),
    mine ? eq(webhooks.user_id, user.id) : undefined,
    isNarrow && user.isAdmin ? undefined : managedWebhooks(user, ctx.db),
  )
  return readPage(
    limit,
    (count) => findWebhooks(ctx.db, filter, { after, limit: count }),
    ({ id }) => id,
  )
}

async function watchesNamespace(ctx: Ctx, name: string): Promise<SQL> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const space = await findNamespace(ctx.db, name)
  if (!space) throw new Problem('not-found', { detail: `There is no user or organisation ${name}.` })
  if (namespaceRole(ctx.actor, space) !== 'admin')
    throw new Problem('forbidden', { detail: `Only admins of ${space.name} see its webhooks.` })
  return watches(ctx, eq(ctx.db.t.webhook_watches.namespace_id, space.id))
}

async function watchesRepo(ctx: Ctx, address: RepoAddress): Promise<SQL> {
  const { id } = await following(address, (at) => requireRepo(ctx, at, 'repo.webhooks'))
  return watches(ctx, eq(ctx.db.t.webhook_watches.repo_id, id))
}

function watches({ db: { q, t } }: Ctx, what: SQL): SQL {
  const { webhook_watches: w, webhooks } = t
  return exists(
    q
      .select({ one: sql`1` })
      .from(w)
      .where(and(eq(w.webhook_id, webhooks.id), what)),
  )
}

/** A webhook. Problem `not-found`. */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  return (await requireWebhook(ctx, id, 'read')).webhook
}

/** A page of a webhook's deliveries with their answers, newest first, as far as the caller may know. Problem `not-found`. */
export async function listDeliveries(
  ctx: Ctx,
  id: string,
  { after, limit }: PageAfter,
): Promise<Page<DeliveryRow, string>> {
  const { webhook } = await requireWebhook(ctx, id, 'read')
  const { items, ...next } = await readPage(
    limit,
    (count) => findDeliveries(ctx.db, webhook.id, { after, limit: count }),
    ({ id }) => id,
  )
  return { items: await visibleDeliveries(ctx, ctx.db, webhook, items), ...next }
}
