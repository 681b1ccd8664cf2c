import type { Ctx } from '../ctx.ts'
import { newId } from '../db/index.ts'
import { recordObject, reserveKeys } from '../lfs/index.ts'
import { blobKeys, type ByteSource } from '../storage/index.ts'
import { repoDeleted } from './failures.ts'
import { giveUp, putProven } from './put-proven.ts'
import { isLiveRepo, type Owner } from './queries.ts'

/**
 * Stores an object sent in one piece straight under its final key, hashing it on the way, and grants it to the user in
 * the Repo. The steps are the same whether anybody has the object or not: a second copy is given up afterwards. May be
 * repeated. Throws `digest-mismatch` and `size-mismatch`, which keep nothing, and the store's errors.
 */
export async function storeObject(
  ctx: Ctx,
  owner: Owner,
  { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
  source: ByteSource,
): Promise<void> {
  const key = blobKeys.lfsObject(sha256, newId())
  await ctx.db.write(async (tx) => {
    if (!(await isLiveRepo(tx, owner.repoId))) throw repoDeleted()
    await reserveKeys(tx, ctx, [key])
  })
  try {
    await putProven(ctx, { sha256, sizeBytes, key }, source)
    await ctx.db.write((tx) => recordObject(tx, ctx, { sha256, sizeBytes, key }, owner))
  } catch (error) {
    await giveUp(ctx, key)
    throw error
  }
}
