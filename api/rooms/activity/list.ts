import { authoriseProfile, policyOf } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { requireNamedUser } from '../namespaces/index.ts'
import { findActivity, type Activity } from './queries.ts'

/**
 * What the user `username` did in repos that the caller may see, newest first. Problems: `unauthenticated`, `not-found`.
 */
export async function listUserActivity(
  ctx: Ctx,
  username: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Page<Activity, string>> {
  const policy = policyOf(ctx.config)
  authoriseProfile(ctx.actor, username, policy)
  const user = await requireNamedUser(ctx.db, username)
  return readPage(
    limit,
    (count) => findActivity(ctx.db, { userId: user.id, viewer: ctx.actor, policy, after, count }),
    ({ id }) => id,
  )
}
