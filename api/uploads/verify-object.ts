import type { Ctx } from '../ctx.ts'
import { findCompletingUploads, findHeld } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import { sizeMismatch } from './failures.ts'
import type { Owner } from './queries.ts'

/**
 * Whether what a user sent to a Repo has arrived, or is being proven at this moment. Throws `not-found`, and
 * `size-mismatch` when it has another size.
 */
export async function verifyObject(
  { db, now }: Ctx,
  owner: Owner,
  { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
): Promise<void> {
  const stored = (await findHeld(db, owner, [sha256], now())).get(sha256)
  const [completing] = stored ? [] : await findCompletingUploads(db, owner.userId, [sha256], now())
  const size = stored?.size ?? completing?.size
  if (size === undefined) throw new Problem('not-found', { detail: 'The object has not been uploaded.' })
  if (size !== sizeBytes) throw sizeMismatch(sizeBytes, size)
}
