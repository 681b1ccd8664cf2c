import type { UploadRoute } from '../../core/lfs/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { MAX_PUT_BYTES } from './bucket/bucket-uploads.ts'
import { MIN_PART_BYTES, partCount, partSizeFor } from './receive/part-size.ts'
import { findBeingVerified } from './bucket/queries.ts'
import { findUnderWay, insertUploads, prolong, type Owner, type UploadRow } from './queries.ts'

/** An object to be uploaded. */
export interface PlannedObject {
  sha256: string
  sizeBytes: number
  path?: string
}

/** How objects are sent. */
export interface Sending {
  /** Into the bucket, by the sender; else their parts come through here. */
  isDirect: boolean
  /** Each in one request, however large. */
  isWhole?: boolean
}

/** When an upload with activity now ends. */
export function uploadDeadline({ config, now }: Pick<Ctx, 'config' | 'now'>): Date {
  return new Date(now().getTime() + config.gc.grace_period)
}

export const objectKey = ({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }) =>
  `${sha256}/${sizeBytes}`

/** The objects that are neither there (by SHA-256) nor in the bucket and being verified for this owner, whose commit waits for them. */
export async function findMissing(
  tx: Tx,
  owner: Owner,
  objects: PlannedObject[],
  there: ReadonlySet<string>,
): Promise<PlannedObject[]> {
  const absent = objects.filter((object) => !there.has(object.sha256))
  const verified = await findBeingVerified(
    tx,
    owner,
    absent.map((object) => object.sha256),
  )
  return absent.filter(({ sha256, sizeBytes }) => verified.get(sha256)?.size !== sizeBytes)
}

/**
 * An upload for each object, by `objectKey`: the one its owner has under way in the same manner, with the parts it has
 * stored, else a new one. Parts grow with the batch, so that the answer stays bounded; what is too large for a part of
 * the bucket, or empty, comes through here in any case.
 */
export async function openUploads(
  tx: Tx,
  ctx: Ctx,
  owner: Owner,
  objects: PlannedObject[],
  sending: Sending,
): Promise<Map<string, UploadRow>> {
  const now = ctx.now()
  const batchBytes = objects.reduce((sum, object) => sum + object.sizeBytes, 0)
  const wanted = new Map(
    objects.map((object) => [objectKey(object), newUpload(ctx, owner, object, { ...sending, batchBytes })]),
  )
  const known = await findUnderWay(
    tx,
    owner,
    objects.map((object) => object.sha256),
    now,
  )
  const opened = new Map<string, UploadRow>()
  for (const [key, row] of wanted) {
    const same = known.find((one) => isSameSending(one, row))
    if (same) opened.set(key, same)
  }
  const fresh = [...wanted].filter(([key]) => !opened.has(key)).map(([, row]) => row)
  const prolonged = await prolong(tx, [...opened.values()], uploadDeadline(ctx), now)
  const inserted = await insertUploads(tx, fresh)
  for (const row of [...prolonged, ...inserted])
    opened.set(objectKey({ sha256: row.sha256, sizeBytes: row.size }), row)
  return opened
}

const bucketRoute = (upload: Pick<UploadRow, 'size' | 'part_size'>): UploadRoute =>
  partCount(upload) > 1 ? 'bucket-parts' : 'bucket-put'

type NewUpload = ReturnType<typeof newUpload>

function newUpload(
  ctx: Ctx,
  { repoId, userId }: Owner,
  { sha256, sizeBytes, path }: PlannedObject,
  { isDirect, isWhole, batchBytes }: Sending & { batchBytes: number },
) {
  const part_size = isWhole ? Math.max(MIN_PART_BYTES, sizeBytes) : partSizeFor(sizeBytes, batchBytes)
  const fitsBucket = sizeBytes > 0 && part_size <= MAX_PUT_BYTES
  return {
    id: newId(),
    repo_id: repoId,
    user_id: userId,
    sha256,
    size: sizeBytes,
    path: path ?? null,
    status: 'open' as const,
    via: isDirect && fitsBucket ? bucketRoute({ size: sizeBytes, part_size }) : ('server' as const),
    part_size,
    attempt: 0,
    created_at: ctx.now(),
    expires_at: uploadDeadline(ctx),
  }
}

/** Whether what is under way continues as the new one would begin. Nothing more is put into the bucket for one being verified. */
function isSameSending(known: UploadRow, wanted: NewUpload): boolean {
  if (known.sha256 !== wanted.sha256 || known.size !== wanted.size) return false
  if (known.part_size < wanted.part_size) return false
  if (partCount(known) > 1 !== partCount(wanted) > 1) return false
  if (wanted.via === 'server') return known.via === 'server'
  return known.via !== 'server' && known.status === 'open'
}
