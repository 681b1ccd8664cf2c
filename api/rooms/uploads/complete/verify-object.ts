import type { Ctx } from '../../../core/ctx.ts'
import { findCompletingUploads, findHeld } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { sizeMismatch } from '../failures.ts'
import type { Owner } from '../queries.ts'
import { verifyArrived } from './start-verification.ts'

/**
 * Whether what a user sent to a repo has arrived, or is being proven at this moment; the proof of what has just arrived
 * in the bucket begins with this. Throws `not-found`, and `size-mismatch` when it has another size.
 */
export async function verifyObject(
  ctx: Ctx,
  owner: Owner,
  { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
): Promise<void> {
  const { db, now } = ctx
  // In this order: a proof that ends between the two looks is in the second.
  const [completing] = await findCompletingUploads(db, owner.userId, [sha256], now())
  const stored = (await findHeld(db, owner, [sha256], now())).get(sha256)
  const size = stored?.size ?? completing?.size
  if (size === undefined && (await verifyArrived(ctx, owner, [{ sha256, sizeBytes }]))) return
  if (size === undefined) throw new Problem('not-found', { detail: 'The object has not been uploaded.' })
  if (size !== sizeBytes) throw sizeMismatch(sizeBytes, size)
}
