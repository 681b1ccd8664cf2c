import { and, asc, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { PLAN_VERSION } from './configs/read-plan.ts'
import { queueConversion } from './convert/job.ts'

const PAGE = 100

/** Queues the conversion of datasets that earlier rules converted, or none: after an upgrade. */
export async function queueStale(deps: Pick<Ctx, 'db' | 'now' | 'config'>): Promise<void> {
  if (!deps.config.viewer.enabled) return
  for (let ids = await stale(deps, ''); ids.length > 0; ids = await stale(deps, ids.at(-1) ?? ''))
    await deps.db.write(async (tx) => {
      for (const id of ids) await queueConversion(tx, deps, id)
    })
}

async function stale({ db: { q, t } }: Pick<Ctx, 'db'>, after: string): Promise<string[]> {
  const { repos, datasets: d } = t
  const rows = await q
    .select({ id: repos.id })
    .from(repos)
    .leftJoin(d, eq(d.repo_id, repos.id))
    .where(
      and(
        eq(repos.type, 'dataset'),
        isNull(repos.deleted_at),
        gt(repos.id, after),
        or(isNull(d.repo_id), lt(d.version, PLAN_VERSION)),
      ),
    )
    .orderBy(asc(repos.id))
    .limit(PAGE)
  return rows.map(({ id }) => id)
}
