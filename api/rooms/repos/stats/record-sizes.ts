import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Sweep } from '../../../core/sweep.ts'
import { dayOf } from './downloads.ts'

const PAGE = 500

/** Repos behind `after`, in the order of their ids: what each holds, and whether that is not what was recorded last. */
function pageOf({ db: { q, t } }: Ctx, after: string) {
  const { repos, repo_heads: heads, repo_sizes: s } = t
  const last = q
    .select({ bytes: s.bytes })
    .from(s)
    .where(eq(s.repo_id, repos.id))
    .orderBy(desc(s.day))
    .limit(1)
  return q
    .select({
      id: repos.id,
      bytes: heads.bytes,
      isChanged: sql<boolean>`coalesce(${last}, -1) <> ${heads.bytes}`.mapWith(Boolean),
    })
    .from(repos)
    .innerJoin(heads, eq(heads.repo_id, repos.id))
    .where(and(gt(repos.id, after), isNull(repos.deleted_at)))
    .orderBy(asc(repos.id))
    .limit(PAGE)
}

/** A repo that has been purged meanwhile takes no row. */
async function record({ q, t }: Tx, day: string, repoId: string, bytes: number): Promise<void> {
  const { repos, repo_sizes } = t
  const [there] = await q
    .update(repos)
    .set({ likes: sql`${repos.likes}` })
    .where(eq(repos.id, repoId))
    .returning({ id: repos.id })
  if (!there) return
  await q
    .insert(repo_sizes)
    .values({ repo_id: repoId, day, bytes })
    .onConflictDoUpdate({ target: [repo_sizes.repo_id, repo_sizes.day], set: { bytes } })
}

/** Part of `gc`: keeps how large each repo is today, where that has changed since it was kept last. */
export const sizeHistory: Sweep = {
  name: 'repo_sizes',
  async run(ctx, { dryRun, signal, write }) {
    const day = dayOf(ctx.now())
    let recorded = 0
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const page = await pageOf(ctx, after)
      const changed = page.filter((row) => row.isChanged)
      recorded += changed.length
      if (!dryRun && changed.length > 0)
        await write(async (tx) => {
          for (const { id, bytes } of changed) await record(tx, day, id, bytes)
        })
      const last = page.at(-1)
      if (!last || page.length < PAGE) return { recorded }
      after = last.id
    }
  },
}
