import { and, eq } from 'drizzle-orm'
import { authoriseProfile, policyOf, requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { lockNamespace } from '../queries.ts'
import { requireNamespace } from '../require.ts'

/** As many as one account may follow, so that what is made of them stays small. */
export const maxFollowed = 1000

export interface FollowStatus {
  followed: boolean
  followers: number
}

/**
 * Follows a user or an organisation for the caller, or ends that; doing so twice counts once. Problems: `not-found`,
 * `state-conflict` for oneself and beyond 1000 of them.
 */
export async function followNamespace(ctx: Ctx, name: string, followed: boolean): Promise<FollowStatus> {
  const user = requireAccount(ctx.actor, 'write')
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const { id } = await requireNamespace(ctx.db, name)
  return ctx.db.write(async (tx) => {
    const { follows } = tx.t
    const isTheirs = and(eq(follows.follower_id, user.id), eq(follows.namespace_id, id))
    if (followed) await insert(tx, ctx, { follower: user.id, id, name })
    else await tx.q.delete(follows).where(isTheirs)
    return { followed, followers: await tx.q.$count(follows, eq(follows.namespace_id, id)) }
  })
}

async function insert(
  tx: Tx,
  ctx: Ctx,
  { follower, id, name }: { follower: string; id: string; name: string },
) {
  if (follower === id) throw new Problem('state-conflict', { detail: 'You cannot follow yourself.' })
  // Holds off others of the caller's, so that the limit holds, and the end of the organisation. In one order for all:
  // two people who follow each other at once would wait for each other.
  for (const each of [follower, id].toSorted())
    if (!(await lockNamespace(tx, each)))
      throw new Problem('not-found', { detail: `There is no user or organisation ${name}.` })
  const { follows } = tx.t
  const added = await tx.q
    .insert(follows)
    .values({ follower_id: follower, namespace_id: id, created_at: ctx.now() })
    .onConflictDoNothing()
    .returning({ id: follows.namespace_id })
  if (added.length > 0 && (await tx.q.$count(follows, eq(follows.follower_id, follower))) > maxFollowed)
    throw new Problem('state-conflict', {
      detail: `You follow ${maxFollowed} people and organisations, which is the most. Unfollow one first.`,
    })
}

/** Ends what follows the namespace, with the namespace. */
export async function dropFollows({ q, t: { follows } }: Tx, namespaceId: string): Promise<void> {
  await q.delete(follows).where(eq(follows.namespace_id, namespaceId))
}
