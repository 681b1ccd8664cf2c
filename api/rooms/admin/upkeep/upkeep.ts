import { and, desc, eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { enqueue, queuedBy, SCHEDULE_KEY } from '../../../core/jobs/index.ts'
import { gcTicket, heldUntil, listFaults } from '../../../core/lfs/index.ts'

const MAX_FAULTS = 100

/** What the upkeep of stored bytes has come to. For instance admins. */
export async function getUpkeep(ctx: Ctx) {
  requireInstanceAdmin(ctx.actor)
  const { q, t } = ctx.db
  const { jobs, blob_scrubs } = t
  const [gc] = await q
    .select({ id: jobs.id, at: jobs.finished_at, result: jobs.result })
    .from(jobs)
    .where(and(eq(jobs.kind, 'gc'), eq(jobs.status, 'succeeded')))
    .orderBy(desc(jobs.finished_at))
    .limit(1)
  return {
    heldUntil: await heldUntil(ctx.db, ctx.now()),
    gc,
    scrubs: await q.select().from(blob_scrubs).orderBy(blob_scrubs.kind),
    faults: await listFaults(ctx.db, '', MAX_FAULTS),
  }
}

/** Queues a run of `gc`. For instance admins. */
export async function startGc(ctx: Ctx, dryRun: boolean) {
  const user = requireInstanceAdmin(ctx.actor)
  const job = await ctx.db.write(async (tx) => {
    const dedupKey = dryRun ? 'dry-run' : SCHEDULE_KEY
    const queued = await enqueue(tx, ctx, gcTicket, { dry_run: dryRun }, { dedupKey })
    const target = { type: 'job', id: queued.id, name: 'gc' }
    await audit(tx, ctx, { action: 'admin.gc.start', target, after: { dry_run: dryRun } })
    return queued
  })
  return queuedBy(user, job)
}
