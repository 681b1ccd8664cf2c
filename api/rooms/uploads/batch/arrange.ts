import type { Ctx } from '../../../core/ctx.ts'
import { touch } from '../../../core/lfs/index.ts'
import { requirePendingQuota } from '../../repos/index.ts'
import { beginMultiparts, bucketUrls, sendsToBucket } from '../bucket/bucket-uploads.ts'
import { findMissing, objectKey, openUploads, type PlannedObject } from '../open-uploads.ts'
import type { Owner, UploadRow } from '../queries.ts'
import { verifyJoined } from '../complete/start-verification.ts'

/** The transfers of git-lfs that are answered: in one piece, in parts, as chunks. */
export type Transfer = 'basic' | 'multipart' | 'xet'

/** How the objects of a batch are sent; all by `objectKey`. */
export interface Arrangement {
  transfer: Transfer
  /** What has to be sent. */
  missing: ReadonlySet<string>
  /** Of what is not sent as chunks. */
  uploads: ReadonlyMap<string, UploadRow>
  /** Addresses of the bucket for each part. */
  urls: ReadonlyMap<string, string[]>
}

interface Asked {
  objects: PlannedObject[]
  /** SHA-256s that the caller may use. */
  usable: Iterable<string>
  transfers: string[]
}

/** Keeps the usable objects and opens uploads for the others. Problem `quota-exceeded`. */
export async function arrange(ctx: Ctx, owner: Owner, asked: Asked): Promise<Arrangement> {
  const isDirect = sendsToBucket(ctx)
  if (isDirect) await verifyJoined(ctx, owner, asked.objects)
  const { transfer, missing, opened } = await ctx.db.write(async (tx) => {
    const there = await touch(tx, asked.usable, ctx.now())
    const missing = await findMissing(tx, owner, asked.objects, there)
    const transfer = chooseTransfer(ctx, asked, missing)
    const sending = { isDirect, isWhole: transfer === 'basic' }
    // Each is an upload, so that it counts as pending from here on; chunks count when they come.
    const tracked = missing.filter(
      ({ sizeBytes }) => transfer === 'multipart' || (transfer === 'basic' && sizeBytes > 0),
    )
    const opened = await openUploads(tx, ctx, owner, tracked, sending)
    if (opened.size > 0) await requirePendingQuota(ctx, tx, owner)
    return { transfer, missing, opened }
  })
  const uploads = await beginMultiparts(ctx, opened)
  return { transfer, missing: new Set(missing.map(objectKey)), uploads, urls: await bucketUrls(ctx, uploads) }
}

/**
 * Chunks when they are taken and none of the objects is too large to be rebuilt: the Python client below 1.20 then
 * sends all of the batch that way, whatever their actions say.
 */
function chooseTransfer({ config }: Ctx, { transfers, objects }: Asked, missing: PlannedObject[]): Transfer {
  const fitsChunks = objects.every((object) => object.sizeBytes <= config.chunk.max_file_size)
  if (transfers.includes('xet') && missing.length > 0 && fitsChunks) return 'xet'
  const isLarge = missing.some((object) => object.sizeBytes > config.lfs.multipart_threshold)
  return transfers.includes('multipart') && isLarge ? 'multipart' : 'basic'
}
