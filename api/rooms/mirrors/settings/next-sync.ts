import { createHash } from 'node:crypto'
import type { Ctx } from '../../../core/ctx.ts'
import { nextRun } from '../../../core/jobs/index.ts'
import type { MirrorRow } from '../queries.ts'

const MINUTES = 24 * 60

/** Five fields of cron: once a day at a minute that follows from the repo's id, so that mirrors do not sync all at once. */
function dailySchedule(repoId: string): string {
  const minute = createHash('sha256').update(repoId).digest().readUInt16BE(0) % MINUTES
  return `${minute % 60} ${Math.floor(minute / 60)} * * *`
}

/** When a mirror is looked at again; `null` for one that does not follow by itself. */
export function nextSync(
  { config }: Pick<Ctx, 'config'>,
  { repo_id, tracking, schedule }: Pick<MirrorRow, 'repo_id' | 'tracking' | 'schedule'>,
  after: Date,
): Date | null {
  if (tracking !== 'follow') return null
  return nextRun(schedule ?? dailySchedule(repo_id), config.server.timezone, after)
}

/** As `nextSync`, of a mirror that has no schedule of its own yet. */
export const firstSync = (
  ctx: Pick<Ctx, 'config'>,
  mirror: Pick<MirrorRow, 'repo_id' | 'tracking'>,
  after: Date,
): Date | null => nextSync(ctx, { ...mirror, schedule: null }, after)
