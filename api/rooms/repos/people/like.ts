import { and, eq, sql } from 'drizzle-orm'
import { requireUser } from '../../../core/access/index.ts'
import { changeMark } from '../../../stores/db/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { RepoAddress } from '../address.ts'
import { requireRepoToChange } from '../find.ts'

export interface LikeStatus {
  liked: boolean
  likes: number
}

/** Likes a repo for the caller, or takes the like back; doing so twice counts once. */
export async function likeRepo(ctx: Ctx, address: RepoAddress, liked: boolean): Promise<LikeStatus> {
  return ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.like')
    const user = requireUser(ctx.actor)
    const { repos, likes } = tx.t
    const changed = liked
      ? await tx.q
          .insert(likes)
          .values({ repo_id: repo.id, user_id: user.id, created_at: ctx.now() })
          .onConflictDoNothing()
          .returning({ id: likes.repo_id })
      : await tx.q
          .delete(likes)
          .where(and(eq(likes.repo_id, repo.id), eq(likes.user_id, user.id)))
          .returning({ id: likes.repo_id })
    const by = changed.length * (liked ? 1 : -1)
    if (by !== 0)
      await tx.q
        .update(repos)
        .set({
          likes: sql`${repos.likes} + ${by}`,
          trending: sql`${repos.trending} + ${10 * by}`,
          changed: changeMark(repos.changed),
        })
        .where(eq(repos.id, repo.id))
    return { liked, likes: repo.likes + by }
  })
}
