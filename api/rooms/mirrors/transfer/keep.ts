import type { Ctx } from '../../../core/ctx.ts'
import {
  deleteDiscarded,
  deleteReserved,
  linkArrived,
  recordBytes,
  reserveKeys,
} from '../../../core/lfs/index.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { leaseLost } from './lease.ts'
import { endTransfer, type TransferRow } from './rows.ts'

/** The large file that a transfer becomes. */
export interface KeptFile {
  sha256: string
  sizeBytes: number
  /** Where its bytes lie in the blob store. */
  key: string
}

/**
 * Ends a transfer with the large file: `put` stores its bytes and proves them, one transaction makes them readable. Answers
 * the file once that is so; its parts are deleted after `onKept` has heard of it.
 */
export async function keepFile(
  ctx: Ctx,
  row: TransferRow,
  put: (object: KeptFile) => Promise<void>,
  {
    alongside,
    onKept,
  }: { alongside?: ((tx: Tx) => Promise<void>) | undefined; onKept?: (file: KeptFile) => void },
): Promise<void> {
  const object = { sha256: row.sha256, sizeBytes: row.size, key: blobKeys.lfsObject(row.sha256, newId()) }
  await ctx.db.write((tx) => reserveKeys(tx, ctx, [object.key]))
  let parts: string[]
  try {
    await put(object)
    parts = await ctx.db.write(async (tx) => {
      const keys = await endTransfer(tx, ctx, row)
      if (!keys) throw leaseLost()
      await recordBytes(tx, ctx, [object])
      await linkArrived(tx, row.repo_id, [row.sha256], ctx.now())
      await alongside?.(tx)
      return keys
    })
  } catch (error) {
    await deleteReserved(ctx, object.key)
    throw error
  }
  onKept?.(object)
  await deleteDiscarded(ctx, parts)
}
