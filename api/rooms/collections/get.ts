import type { Ctx } from '../../core/ctx.ts'
import { requireCollection, wholeOf, type CollectionAddress, type Whole } from './require.ts'

/** A collection with its items, in three queries. Problems `not-found`, `unauthenticated`. */
export async function getCollection(ctx: Ctx, address: CollectionAddress): Promise<Whole> {
  return wholeOf(ctx.db, ctx, await requireCollection(ctx.db, ctx, address))
}
