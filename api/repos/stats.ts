import { and, asc, eq, gte } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import type { RepoAddress } from './address.ts'
import { dayOf } from './downloads.ts'
import { requireRepo } from './find.ts'

const dayMs = 86_400_000

/** Downloads of one UTC day. */
export interface DayOfDownloads {
  /** Such as `2026-03-01`. */
  date: string
  downloads: number
  bytes: number
}

export interface RepoStats {
  /** The last days up to today, the oldest first; those without downloads among them. */
  days: DayOfDownloads[]
  downloads30d: number
  downloadsTotal: number
}

/** How often a Repo was downloaded on each of the last `days` days. Problem `repo-not-found`. */
export async function getStats(ctx: Ctx, address: RepoAddress, days: number): Promise<RepoStats> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { repo_downloads: d } = ctx.db.t
  const dates = Array.from({ length: days }, (_, i) =>
    dayOf(new Date(ctx.now().getTime() - (days - 1 - i) * dayMs)),
  )
  const rows = await ctx.db.q
    .select({ date: d.day, downloads: d.downloads, bytes: d.bytes })
    .from(d)
    .where(and(eq(d.repo_id, repo.id), gte(d.day, dates[0] ?? '')))
    .orderBy(asc(d.day))
  const counted = new Map(rows.map((row) => [row.date, row]))
  return {
    days: dates.map((date) => counted.get(date) ?? { date, downloads: 0, bytes: 0 }),
    downloads30d: repo.downloads30d,
    downloadsTotal: repo.downloadsTotal,
  }
}
