import { asc, eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { enqueue, queuedBy, SCHEDULE_KEY } from '../../../core/jobs/index.ts'
import type { Db, Tables } from '../../../stores/db/index.ts'
import { storageCount } from './count-storage.ts'
import { dayOf } from './days.ts'

export type StorageDay = Tables['storage_days']['$inferSelect']

/**
 * What was stored on each of the last `days` days, and the largest repos and namespaces, as last counted. For instance
 * admins.
 */
export async function getStorage(ctx: Ctx, days: number) {
  requireInstanceAdmin(ctx.actor)
  const { q, t } = ctx.db
  // No more rows than days are kept.
  const known = await q.select().from(t.storage_days).orderBy(asc(t.storage_days.day))
  return {
    countedAt: known.at(-1)?.counted_at,
    days: filled(known, ctx.now(), days),
    repos: await topRepos(ctx.db),
    namespaces: await topNamespaces(ctx.db),
  }
}

/** Every day since the first count; one without a count is as the day before it. */
function filled(known: StorageDay[], now: Date, days: number): StorageDay[] {
  const all: StorageDay[] = []
  let next = 0
  for (let back = days - 1; back >= 0; back--) {
    const day = dayOf(now, -back)
    while ((known[next + 1]?.day ?? '9') <= day) next++
    const last = known[next]
    if (last && last.day <= day) all.push({ ...last, day })
  }
  return all
}

function topRepos({ q, t: { storage_tops: s, repos: r, namespaces: n } }: Db) {
  return q
    .select({ type: r.type, ns: n.name, name: r.name, bytes: s.bytes, deletedAt: r.deleted_at })
    .from(s)
    .innerJoin(r, eq(r.id, s.subject_id))
    .innerJoin(n, eq(n.id, r.namespace_id))
    .where(eq(s.kind, 'repo'))
    .orderBy(asc(s.rank))
}

function topNamespaces({ q, t: { storage_tops: s, namespaces: n } }: Db) {
  return q
    .select({ ns: n.name, kind: n.kind, bytes: s.bytes, quotaBytes: n.quota_bytes })
    .from(s)
    .innerJoin(n, eq(n.id, s.subject_id))
    .where(eq(s.kind, 'namespace'))
    .orderBy(asc(s.rank))
}

/** Queues a count now; one that has not ended is answered instead. For instance admins. */
export async function startStorageCount(ctx: Ctx) {
  const user = requireInstanceAdmin(ctx.actor)
  const job = await ctx.db.write((tx) => enqueue(tx, ctx, storageCount, {}, { dedupKey: SCHEDULE_KEY }))
  return queuedBy(user, job)
}
