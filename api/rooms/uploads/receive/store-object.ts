import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { deleteReserved, findHeld, recordObject, reserveKeys } from '../../../core/lfs/index.ts'
import { requirePendingQuota } from '../../repos/index.ts'
import { blobKeys, type ByteSource } from '../../../stores/storage/index.ts'
import { isDirect } from '../bucket/bucket-uploads.ts'
import { repoDeleted } from '../failures.ts'
import { partCount } from './part-size.ts'
import { putProven } from './put-proven.ts'
import { findUnderWay, isLiveRepo, isOpen, type Owner, type UploadRow } from '../queries.ts'
import { completeRow } from '../transitions.ts'

interface Sent {
  sha256: string
  sizeBytes: number
}

/**
 * Stores an object sent in one piece straight under its final key, hashing it on the way, and grants it to the user in
 * the repo. The steps are the same whether anybody has the object or not: a second copy is deleted afterwards. May be
 * repeated. Throws `digest-mismatch` and `size-mismatch`, which keep nothing, `quota-exceeded`, and the store's errors.
 */
export async function storeObject(ctx: Ctx, owner: Owner, sent: Sent, source: ByteSource): Promise<void> {
  const key = blobKeys.lfsObject(sent.sha256, newId())
  const { isCounted, upload } = await ctx.db.write(async (tx) => {
    if (!(await isLiveRepo(tx, owner.repoId))) throw repoDeleted()
    const counted = await findCounted(tx, ctx, owner, sent)
    if (!counted.isCounted) await requirePendingQuota(ctx, tx, owner, { moreBytes: sent.sizeBytes })
    await reserveKeys(tx, ctx, [key])
    return counted
  })
  try {
    await putProven(ctx, { ...sent, key }, source)
    await ctx.db.write(async (tx) => {
      await recordObject(tx, ctx, { ...sent, key }, owner)
      if (upload) await completeRow(tx, ctx, upload.id, isOpen(tx, ctx.now()))
      if (!isCounted) await requirePendingQuota(ctx, tx, owner)
    })
  } catch (error) {
    await deleteReserved(ctx, key)
    throw error
  }
}

/** Whether these bytes are pending already, by their plan or since they are stored; `upload` ends with this request. */
async function findCounted(
  tx: Tx,
  ctx: Ctx,
  owner: Owner,
  { sha256, sizeBytes }: Sent,
): Promise<{ isCounted: boolean; upload?: UploadRow }> {
  const underWay = await findUnderWay(tx, owner, [sha256], ctx.now())
  const planned = underWay.filter(({ size }) => size === sizeBytes)
  const upload = planned.find((one) => partCount(one) === 1 && !isDirect(one))
  if (planned.length > 0) return { isCounted: true, ...(upload ? { upload } : {}) }
  return { isCounted: sizeBytes === 0 || (await findHeld(tx, owner, [sha256], ctx.now())).size > 0 }
}
