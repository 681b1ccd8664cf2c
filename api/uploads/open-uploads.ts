import type { Ctx } from '../ctx.ts'
import { newId, type Tx } from '../db/index.ts'
import { partSizeFor } from './part-size.ts'
import { findUnderWay, insertUpload, setUpload, isOpen, type Owner, type UploadRow } from './queries.ts'

/** An object to be uploaded in parts. */
export interface PlannedObject {
  sha256: string
  sizeBytes: number
  path?: string
}

/** When an Upload with activity now ends. */
export function uploadDeadline({ config, now }: Pick<Ctx, 'config' | 'now'>): Date {
  return new Date(now().getTime() + config.gc.grace_period)
}

export const objectKey = ({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }) =>
  `${sha256}/${sizeBytes}`

/**
 * An Upload for each object, by `objectKey`: the one its owner has under way, with the parts it has stored, else a new
 * one. Parts grow with the batch, so that the answer stays bounded.
 */
export async function openUploads(
  tx: Tx,
  ctx: Ctx,
  owner: Owner,
  objects: PlannedObject[],
): Promise<Map<string, UploadRow>> {
  const batchBytes = objects.reduce((sum, object) => sum + object.sizeBytes, 0)
  const opened = new Map<string, UploadRow>()
  for (const object of objects) {
    const key = objectKey(object)
    if (!opened.has(key)) opened.set(key, await openUpload(tx, ctx, owner, object, batchBytes))
  }
  return opened
}

async function openUpload(
  tx: Tx,
  ctx: Ctx,
  owner: Owner,
  { sha256, sizeBytes, path }: PlannedObject,
  batchBytes: number,
): Promise<UploadRow> {
  const now = ctx.now()
  const expires_at = uploadDeadline(ctx)
  const minPartSize = partSizeFor(sizeBytes, batchBytes)
  const underWay = await findUnderWay(tx, owner, { sha256, sizeBytes, minPartSize, now })
  if (underWay) return (await setUpload(tx, underWay.id, isOpen(tx, now), { expires_at })) ?? underWay
  return insertUpload(tx, {
    id: newId(),
    repo_id: owner.repoId,
    user_id: owner.userId,
    sha256,
    size: sizeBytes,
    path: path ?? null,
    status: 'open',
    part_size: minPartSize,
    attempt: 0,
    created_at: now,
    expires_at,
  })
}
