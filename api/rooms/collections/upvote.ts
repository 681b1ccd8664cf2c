import { and, eq, sql } from 'drizzle-orm'
import { requireUpvoter } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { held, requireCollection, type CollectionAddress } from './require.ts'

export interface UpvoteStatus {
  upvoted: boolean
  upvotes: number
}

/**
 * Upvotes a collection for the caller, or takes the upvote back; doing so twice counts once. It is no change of the
 * collection: `updated_at` and `ETag` stay. Problems: `not-found`, `unauthenticated`, `forbidden`, `insufficient-scope`.
 */
export async function upvoteCollection(
  ctx: Ctx,
  address: CollectionAddress,
  upvoted: boolean,
): Promise<UpvoteStatus> {
  return ctx.db.write(async (tx) => {
    const collection = await held(tx, ctx, () => requireCollection(tx, ctx, address))
    const user = requireUpvoter(ctx.actor, { name: collection.ns })
    const { collections, collection_upvotes: u } = tx.t
    const changed = upvoted
      ? await tx.q
          .insert(u)
          .values({ collection_id: collection.id, user_id: user.id, created_at: ctx.now() })
          .onConflictDoNothing()
          .returning({ id: u.collection_id })
      : await tx.q
          .delete(u)
          .where(and(eq(u.collection_id, collection.id), eq(u.user_id, user.id)))
          .returning({ id: u.collection_id })
    const by = changed.length * (upvoted ? 1 : -1)
    if (by !== 0)
      await tx.q
        .update(collections)
        .set({ upvotes: sql`${collections.upvotes} + ${by}` })
        .where(eq(collections.id, collection.id))
    return { upvoted, upvotes: collection.upvotes + by }
  })
}
