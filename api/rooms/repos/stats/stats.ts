import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { RepoAddress } from '../address.ts'
import { dayOf } from './downloads.ts'
import { requireRepo } from '../find.ts'
import type { Repo } from '../queries.ts'

const dayMs = 86_400_000

/** Downloads of one UTC day. */
export interface DayOfDownloads {
  /** Such as `2026-03-01`. */
  date: string
  downloads: number
  bytes: number
}

export interface Day extends DayOfDownloads {
  /** What the head of the default branch held, as of that night; absent where nothing was recorded by then. */
  sizeBytes?: number
}

export interface RepoStats {
  /** The last days up to today, the oldest first; those without downloads among them. */
  days: Day[]
  downloads30d: number
  downloadsTotal: number
}

/** How large a repo was on each of the dates, the last of which is today. */
async function sizesOf({ db: { q, t } }: Ctx, repo: Repo, dates: string[]): Promise<Map<string, number>> {
  const { repo_sizes: s } = t
  const first = dates[0] ?? ''
  const isIts = eq(s.repo_id, repo.id)
  const before = q
    .select({ day: sql`coalesce(max(${s.day}), '')` })
    .from(s)
    .where(and(isIts, lte(s.day, first)))
  const rows = await q
    .select({ day: s.day, bytes: s.bytes })
    .from(s)
    .where(and(isIts, gte(s.day, before)))
    .orderBy(asc(s.day))
  const sizes = new Map<string, number>()
  let at = 0
  for (const date of dates) {
    while ((rows[at]?.day ?? '~') <= date) at++
    const known = rows[at - 1]
    if (known) sizes.set(date, known.bytes)
  }
  return sizes.set(dates.at(-1) ?? '', repo.headBytes)
}

/** How often a repo was downloaded on each of the last `days` days, and its size. Problem `repo-not-found`. */
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
  const sizes = await sizesOf(ctx, repo, dates)
  return {
    days: dates.map((date) => {
      const sizeBytes = sizes.get(date)
      const day = counted.get(date) ?? { date, downloads: 0, bytes: 0 }
      return sizeBytes === undefined ? day : { ...day, sizeBytes }
    }),
    downloads30d: repo.downloads30d,
    downloadsTotal: repo.downloadsTotal,
  }
}
