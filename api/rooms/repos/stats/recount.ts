import { asc, eq, gt, gte, ne, or, sql } from 'drizzle-orm'
import type { Sweep } from '../../../core/sweep.ts'
import { dayOf } from './downloads.ts'
import { lockRepo, setRepo, type Reader } from '../queries.ts'

const dayMs = 86_400_000
const PAGE = 500

/** What the sums on a repo's row should say, as SQL on that row. */
function sums({ t: { repos, repo_downloads: d } }: Pick<Reader, 't'>, now: Date) {
  const sumOfLast = (days: number) => {
    const first = dayOf(new Date(now.getTime() - (days - 1) * dayMs))
    return sql`coalesce((select sum(${d.downloads}) from ${d} where ${eq(d.repo_id, repos.id)} and ${gte(d.day, first)}), 0)`
  }
  return {
    downloads_30d: sql<number>`${sumOfLast(30)}`,
    // indexing.md §5: `trendingScore`.
    trending: sql<number>`10 * ${repos.likes} + ${sumOfLast(7)}`,
  }
}

/**
 * Part of `gc`: lets days go out of the sums that lists are sorted by, `downloads_30d` and `trending`. What is counted
 * meanwhile is in both the days and the sums.
 */
export const downloadSums: Sweep = {
  name: 'download_sums',
  async run(ctx, { dryRun, signal, write }) {
    const { repos } = ctx.db.t
    const right = sums(ctx.db, ctx.now())
    const isWrong = or(ne(repos.downloads_30d, right.downloads_30d), ne(repos.trending, right.trending))
    let renewed = 0
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const page = await ctx.db.q
        .select({ id: repos.id, isWrong: sql<boolean>`${isWrong}`.mapWith(Boolean) })
        .from(repos)
        .where(gt(repos.id, after))
        .orderBy(asc(repos.id))
        .limit(PAGE)
      const wrong = page.filter((row) => row.isWrong)
      renewed += wrong.length
      if (!dryRun && wrong.length > 0)
        await write(async (tx) => {
          for (const { id } of wrong) {
            await lockRepo(tx, id)
            await setRepo(tx, id, right)
          }
        })
      const last = page.at(-1)
      if (!last || page.length < PAGE) return { renewed }
      after = last.id
    }
  },
}
