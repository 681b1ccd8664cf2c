import { and, asc, eq, gt } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page, type Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { NamespaceRow } from './queries.ts'
import { requireNamespace } from './require.ts'
import { usedBytes } from './storage.ts'

/** What a namespace holds and may hold. */
export interface Quota {
  ns: string
  kind: NamespaceRow['kind']
  displayName: string
  usedBytes: number
  /** `null`: any number. */
  quotaBytes: number | null
}

async function quotasOf(ctx: Ctx, rows: NamespaceRow[]): Promise<Quota[]> {
  const used = await usedBytes(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, kind, display_name, quota_bytes }) => ({
    ns: name,
    kind,
    displayName: display_name,
    usedBytes: used.get(id) ?? 0,
    quotaBytes: quota_bytes,
  }))
}

/** A page of all namespaces in name order, from the one after `after` on. For instance admins. */
export async function listQuotas(
  ctx: Ctx,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<Page<Quota, string>> {
  requireInstanceAdmin(ctx.actor)
  const { namespaces: n } = ctx.db.t
  const { items, ...next } = await readPage(
    limit,
    (count) =>
      ctx.db.q
        .select()
        .from(n)
        .where(and(gt(n.name_key, after)))
        .orderBy(asc(n.name_key))
        .limit(count),
    (row) => row.name_key,
  )
  return { items: await quotasOf(ctx, items), ...next }
}

/**
 * Sets how much a namespace may hold; `null` lifts the limit. What is there already stays, also beyond it. For instance
 * admins. Problem `not-found`.
 */
export async function setQuota(ctx: Ctx, name: string, quotaBytes: number | null): Promise<Quota> {
  requireInstanceAdmin(ctx.actor)
  const row = await ctx.db.write(async (tx) => {
    const before = await requireNamespace(tx, name)
    const { namespaces: n } = tx.t
    const [after] = await tx.q
      .update(n)
      .set({ quota_bytes: quotaBytes })
      .where(eq(n.id, before.id))
      .returning()
    if (!after) throw new Problem('not-found')
    await audit(tx, ctx, {
      action: 'namespace.quota.set',
      target: { type: before.kind, id: before.id, name: before.name },
      before: { quota_bytes: before.quota_bytes },
      after: { quota_bytes: quotaBytes },
    })
    return after
  })
  const [quota] = await quotasOf(ctx, [row])
  if (!quota) throw new Problem('not-found')
  return quota
}

/**
 * Throws `quota-exceeded` when a namespace holds more than its quota, as it would after what this transaction has done. It says
 * how much, unless the caller may not know and another `detail` is given.
 */
export async function requireWithinQuota(
  tx: Tx,
  { id, name, quota_bytes: quota }: Pick<NamespaceRow, 'id' | 'name' | 'quota_bytes'>,
  detail?: string,
): Promise<void> {
  if (quota === null) return
  const used = (await usedBytes(tx, [id])).get(id) ?? 0
  if (used <= quota) return
  throw new Problem('quota-exceeded', {
    detail: detail ?? `${name} would hold ${used} bytes, of at most ${quota}.`,
  })
}
