import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { deleteDiscarded, discardKeys } from '../../../core/lfs/index.ts'
import { StoreError } from '../../../stores/storage/index.ts'
import { arrivalKey, isDirect, uploadUrlMs } from '../bucket/bucket-uploads.ts'
import { deleteParts, type UploadRow } from '../queries.ts'

/**
 * Discards the bytes of an upload in the transaction that ends it, but for those that became the object where they arrived,
 * at `objectKey`; answers the keys of its parts. What its sender put into the bucket stays listed for deletion as long as
 * its addresses could be written to again.
 */
export async function discardArrived(
  tx: Tx,
  ctx: Pick<Ctx, 'config' | 'now'>,
  upload: UploadRow,
  objectKey?: string,
): Promise<string[]> {
  const keys = await deleteParts(tx, upload.id)
  await discardKeys(tx, ctx, keys)
  const arrived = arrivalKey(upload)
  if (isDirect(upload) && arrived !== objectKey) await discardKeys(tx, ctx, [arrived], uploadUrlMs(ctx))
  return keys
}

/** Deletes at once what `discardArrived` gave up, after its transaction; a failure of the store leaves it to the `gc` job. */
export async function deleteArrived(ctx: Ctx, upload: UploadRow, partKeys: string[]): Promise<void> {
  await deleteDiscarded(ctx, partKeys)
  if (!isDirect(upload)) return
  try {
    await ctx.blobs.delete(arrivalKey(upload))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    ctx.log.warn({ err: error }, 'the bytes of an upload that has ended are left to the gc job')
  }
}
