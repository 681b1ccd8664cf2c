import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { checkIfMatch } from '../repos/index.ts'
import { auditCollection } from './audit.ts'
import { requireToChange, type CollectionAddress } from './require.ts'

/** Deletes a collection for good; the repos in it stay. Problems: `not-found`, `forbidden`, `precondition-failed`. */
export async function deleteCollection(
  ctx: Ctx,
  address: CollectionAddress,
  ifMatch?: string,
): Promise<void> {
  await ctx.db.write(async (tx) => {
    const found = await requireToChange(tx, ctx, address, 'namespace.delete-collections')
    checkIfMatch(ifMatch, found.etag)
    const { collections } = tx.t
    await tx.q.delete(collections).where(eq(collections.id, found.collection.id))
    const before = { visibility: found.collection.visibility, items: found.count }
    await auditCollection(tx, ctx, 'collection.delete', found.collection, { before })
  })
}
