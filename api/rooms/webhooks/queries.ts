import { aliasedTable, and, desc, eq, inArray, lt, max, sql, type SQL } from 'drizzle-orm'
import type { RepoType } from '../../../shared/vocabulary.ts'
import type { Reads, Tables } from '../../stores/db/index.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

export type WebhookRow = Tables['webhooks']['$inferSelect']
export type DeliveryRow = Tables['webhook_deliveries']['$inferSelect']

/** What a webhook watches: a namespace with all its repos, or one repo. */
export type Watched =
  | { namespaceId: string; ns: string; kind: 'user' | 'org' }
  | { repoId: string; type: RepoType; ns: string; name: string }

/** A webhook with what it watches and its last delivery. */
export interface Webhook extends WebhookRow {
  watched: Watched[]
  last?: Pick<DeliveryRow, 'id' | 'status' | 'created_at'>
}

/** Webhooks that `filter` picks, newest first. */
export async function findWebhooks(
  reader: Reader,
  filter: SQL | undefined,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Webhook[]> {
  const { q, t } = reader
  const { webhooks } = t
  const rows = await q
    .select()
    .from(webhooks)
    .where(and(filter, after === undefined ? undefined : lt(webhooks.id, after)))
    .orderBy(desc(webhooks.id))
    .limit(limit)
  const ids = rows.map(({ id }) => id)
  const watched = await watchedBy(reader, ids)
  const last = new Map((await lastDeliveries(reader, ids)).map(({ of, ...delivery }) => [of, delivery]))
  return rows.map((row) => {
    const latest = last.get(row.id)
    return { ...row, watched: watched.get(row.id) ?? [], ...(latest && { last: latest }) }
  })
}

/** The newest delivery of each of the webhooks. */
async function lastDeliveries({ q, t: { webhooks: w, webhook_deliveries: d } }: Reader, ids: string[]) {
  const its = q
    .select({ id: max(d.id) })
    .from(d)
    .where(eq(d.webhook_id, w.id))
  const newest = q
    .select({ id: sql`(${its.getSQL()})` })
    .from(w)
    .where(inArray(w.id, ids))
  return q
    .select({ of: d.webhook_id, id: d.id, status: d.status, created_at: d.created_at })
    .from(d)
    .where(inArray(d.id, newest))
}

/** Webhook id → what it watches, in the order it was given. */
async function watchedBy({ q, t }: Reader, ids: string[]): Promise<Map<string, Watched[]>> {
  const { webhook_watches: w, namespaces, repos } = t
  const owners = aliasedTable(namespaces, 'owners')
  const rows = await q
    .select({
      webhookId: w.webhook_id,
      namespaceId: w.namespace_id,
      ns: namespaces.name,
      kind: namespaces.kind,
      repoId: w.repo_id,
      type: repos.type,
      owner: owners.name,
      name: repos.name,
    })
    .from(w)
    .leftJoin(namespaces, eq(namespaces.id, w.namespace_id))
    .leftJoin(repos, eq(repos.id, w.repo_id))
    .leftJoin(owners, eq(owners.id, repos.namespace_id))
    .where(inArray(w.webhook_id, ids))
    .orderBy(w.id)
  const found = new Map<string, Watched[]>()
  for (const { webhookId, namespaceId, ns, kind, repoId, type, owner, name } of rows) {
    const watched = found.get(webhookId) ?? []
    found.set(webhookId, watched)
    if (namespaceId !== null && ns !== null && kind !== null) watched.push({ namespaceId, ns, kind })
    else if (repoId !== null && type !== null && owner !== null && name !== null)
      watched.push({ repoId, type, ns: owner, name })
  }
  return found
}

/** A webhook's deliveries, newest first, behind the delivery `after`. */
export async function findDeliveries(
  { q, t: { webhook_deliveries: d } }: Reader,
  webhookId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  return q
    .select()
    .from(d)
    .where(and(eq(d.webhook_id, webhookId), after === undefined ? undefined : lt(d.id, after)))
    .orderBy(desc(d.id))
    .limit(limit)
}

/** The delivery of this very webhook. */
export async function findDelivery(
  { q, t: { webhook_deliveries: d } }: Reader,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await q
    .select()
    .from(d)
    .where(and(eq(d.webhook_id, webhookId), eq(d.id, id)))
  return row
}

/** Any webhook by its id, which is no capability: ask who may manage it before it is shown. */
export async function findWebhook(reader: Reader, id: string): Promise<Webhook | undefined> {
  const [row] = await findWebhooks(reader, eq(reader.t.webhooks.id, id), { limit: 1 })
  return row
}
