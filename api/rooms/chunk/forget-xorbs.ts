import { inArray, type SQL } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { discardKeys } from '../../core/lfs/index.ts'
import { blobKeys } from '../../stores/storage/index.ts'

/** Lets the xorbs go that `where` chooses: their rows, who sent them, and their bytes with the next `gc` job. Answers their hashes. */
export async function forgetXorbs(tx: Tx, ctx: Pick<Ctx, 'now'>, where: SQL | undefined): Promise<string[]> {
  const { chunk_xorbs: x, chunk_xorb_uploads: u } = tx.t
  const gone = await tx.q.delete(x).where(where).returning({ hash: x.xorb_hash, key: x.key })
  const hashes = gone.map(({ hash }) => hash)
  if (gone.length === 0) return hashes
  await tx.q.delete(u).where(inArray(u.xorb_hash, hashes))
  await discardKeys(
    tx,
    ctx,
    gone.flatMap(({ key }) => [key, blobKeys.xorbIndex(key)]),
  )
  return hashes
}
