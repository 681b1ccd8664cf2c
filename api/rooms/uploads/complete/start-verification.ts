import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { arrivalKey } from '../bucket/bucket-uploads.ts'
import { findUnverified } from '../bucket/queries.ts'
import { findUpload, type Owner, type UploadRow } from '../queries.ts'
import { beginVerifying } from '../transitions.ts'
import { lfsVerify } from './verify-job.ts'

/** Questions to the store under way at once. */
const AT_ONCE = 16

/**
 * Has direct uploads of one owner, whose bytes are in the bucket, verified by one job. Those that somebody else was
 * faster with are left to them. Answers the uploads as they are then.
 */
export async function startVerification(
  tx: Tx,
  ctx: Pick<Ctx, 'db' | 'config' | 'now' | 'actor'>,
  { repoId, userId }: Owner,
  arrived: UploadRow[],
): Promise<UploadRow[]> {
  const bytes = arrived.reduce((sum, { size }) => sum + size, 0)
  const options = { repoId, createdBy: userId }
  const job = await enqueue(tx, ctx, lfsVerify, { objects: arrived.length, bytes }, options)
  const uploads: UploadRow[] = []
  for (const { id } of arrived) {
    const upload = (await beginVerifying(tx, ctx, id, job.id)) ?? (await findUpload(tx, id))
    if (upload) uploads.push(upload)
  }
  return uploads
}

interface Sent {
  sha256: string
  sizeBytes: number
}

/**
 * Has those objects verified that the owner has put into the bucket without a word: clients of the hub need not say that
 * an upload in one piece is done (hub-wire.md §8.1). Answers whether there were any.
 */
export function verifyArrived(ctx: Ctx, owner: Owner, objects: Sent[]): Promise<boolean> {
  return verifyThose(ctx, owner, objects, () => true)
}

/**
 * As `verifyArrived`, of those alone whose parts were joined by a completion that died then: their addresses take nothing any
 * more, so that a plan must not give them out again.
 */
export function verifyJoined(ctx: Ctx, owner: Owner, objects: Sent[]): Promise<boolean> {
  return verifyThose(ctx, owner, objects, ({ store_upload_id }) => store_upload_id !== null)
}

async function verifyThose(
  ctx: Ctx,
  owner: Owner,
  objects: Sent[],
  isMeant: (upload: UploadRow) => boolean,
): Promise<boolean> {
  const sizes = new Map(objects.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
  const found = await findUnverified(ctx.db, owner, sizes.keys(), ctx.now())
  const candidates = found.filter((upload) => sizes.get(upload.sha256) === upload.size && isMeant(upload))
  const arrived: UploadRow[] = []
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE)
    const stats = await Promise.all(some.map((upload) => ctx.blobs.stat(arrivalKey(upload))))
    arrived.push(...some.filter((_, i) => stats[i]))
  }
  if (arrived.length === 0) return false
  await ctx.db.write((tx) => startVerification(tx, ctx, owner, arrived))
  return true
}
