import type { Ctx } from '../ctx.ts'
import { touch } from '../lfs/index.ts'
import { beginMultiparts, bucketUrls, MAX_PUT_BYTES, sendsToBucket } from './direct.ts'
import { findMissing, objectKey, openUploads, type PlannedObject } from './open-uploads.ts'
import type { Owner, UploadRow } from './queries.ts'
import { verifyJoined } from './start-verification.ts'

/** The transfers of git-lfs that are answered: in one piece, in parts, as chunks. */
export type Transfer = 'basic' | 'multipart' | 'xet'

/** How the objects of a batch are sent; all by `objectKey`. */
export interface Arrangement {
  transfer: Transfer
  /** What has to be sent. */
  missing: ReadonlySet<string>
  /** Of what is sent in parts or into the bucket. */
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

/** Keeps the usable objects and opens Uploads for the others where they come in parts or go into the bucket. */
export async function arrange(ctx: Ctx, owner: Owner, asked: Asked): Promise<Arrangement> {
  const isDirect = sendsToBucket(ctx)
  if (isDirect) await verifyJoined(ctx, owner, asked.objects)
  const { transfer, missing, opened } = await ctx.db.write(async (tx) => {
    const there = await touch(tx, asked.usable, ctx.now())
    const missing = await findMissing(tx, owner, asked.objects, there)
    const transfer = chooseTransfer(ctx, asked, missing)
    const sending = { isDirect, isWhole: transfer === 'basic' }
    const tracked =
      transfer === 'multipart' ? missing : transfer === 'basic' && isDirect ? missing.filter(fitsPut) : []
    return { transfer, missing, opened: await openUploads(tx, ctx, owner, tracked, sending) }
  })
  const uploads = await beginMultiparts(ctx, opened)
  return { transfer, missing: new Set(missing.map(objectKey)), uploads, urls: await bucketUrls(ctx, uploads) }
}

/** Others come through here, where the bucket gets them in parts. */
const fitsPut = ({ sizeBytes }: PlannedObject) => sizeBytes > 0 && sizeBytes <= MAX_PUT_BYTES

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
