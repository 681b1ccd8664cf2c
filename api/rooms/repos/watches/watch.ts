import { and, eq } from 'drizzle-orm'
import type { WatchLevel } from '../../../../shared/vocabulary.ts'
import { requireUser } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { lockNamespace } from '../../namespaces/index.ts'
import type { RepoAddress } from '../address.ts'
import { requireRepo, requireRepoToChange } from '../find.ts'

/** As many as one account may watch, so that what is made of them stays small. */
export const maxWatched = 1000

/** Which news of a repo the caller wants; `undefined` for the usual ones. Problem `repo-not-found`. */
export async function getWatch(ctx: Ctx, address: RepoAddress): Promise<WatchLevel | undefined> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const user = requireUser(ctx.actor)
  const { repo_watches: w } = ctx.db.t
  const [row] = await ctx.db.q
    .select({ level: w.level })
    .from(w)
    .where(and(eq(w.repo_id, repo.id), eq(w.user_id, user.id)))
  return row?.level
}

/**
 * Chooses which news of a repo the caller wants. A change of the level keeps the time the watch began. Problems:
 * `repo-not-found`, `state-conflict` beyond 1000 repos.
 */
export async function watchRepo(ctx: Ctx, address: RepoAddress, level: WatchLevel): Promise<void> {
  await ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.watch')
    const user = requireUser(ctx.actor)
    // Holds off others of the caller's, so that the limit holds.
    await lockNamespace(tx, user.id)
    const { repo_watches: w } = tx.t
    await tx.q
      .insert(w)
      .values({ repo_id: repo.id, user_id: user.id, level, created_at: ctx.now() })
      .onConflictDoUpdate({ target: [w.repo_id, w.user_id], set: { level } })
    if ((await tx.q.$count(w, eq(w.user_id, user.id))) > maxWatched)
      throw new Problem('state-conflict', {
        detail: `You have chosen news of ${maxWatched} repos, which is the most. Stop watching one first.`,
      })
  })
}

/** Goes back to the usual news of a repo. Problem `repo-not-found`. */
export async function unwatchRepo(ctx: Ctx, address: RepoAddress): Promise<void> {
  await ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.watch')
    const user = requireUser(ctx.actor)
    const { repo_watches: w } = tx.t
    await tx.q.delete(w).where(and(eq(w.repo_id, repo.id), eq(w.user_id, user.id)))
  })
}
