import { and, eq, gt, isNull, ne, not, or, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../stores/db/index.ts'
import { hasLiveJob } from '../../../core/lfs/index.ts'
import { findOwn, setUpload, type Owner, type Reading, type UploadRow } from '../queries.ts'

/** Notes the multipart upload that the store has begun for a direct upload; answers it, unless another was noted meanwhile. */
export function beginMultipart(tx: Tx, upload: UploadRow, store_upload_id: string) {
  const { uploads: u } = tx.t
  const known = upload.store_upload_id
  const isAsBefore = and(
    eq(u.status, 'open'),
    known === null ? isNull(u.store_upload_id) : eq(u.store_upload_id, known),
  )
  return setUpload(tx, upload.id, isAsBefore, { store_upload_id })
}

/** In the bucket, and no job is verifying it: it is open, or its job has ended without a result. */
export const isUnverified = (tx: Reading, now: Date): SQL | undefined => {
  const { uploads: u } = tx.t
  const isLeft = and(eq(u.status, 'verifying'), not(hasLiveJob(tx)))
  return and(ne(u.via, 'server'), or(eq(u.status, 'open'), isLeft), gt(u.expires_at, now))
}

/** Whether no job is verifying this upload in the bucket. */
export async function isUnattended(tx: Reading, id: string, now: Date): Promise<boolean> {
  const { uploads: u } = tx.t
  return (await tx.q.$count(u, and(eq(u.id, id), isUnverified(tx, now)))) > 0
}

/** Waits for this job. */
export const isVerifiedBy = ({ t: { uploads: u } }: Reading, jobId: string): SQL | undefined =>
  and(eq(u.status, 'verifying'), eq(u.job_id, jobId))

/** Those among the owner's direct uploads of these bytes that no job is verifying, newest first. */
export function findUnverified(
  tx: Reading,
  owner: Owner,
  sha256s: Iterable<string>,
  now: Date,
): Promise<UploadRow[]> {
  return findOwn(tx, owner, sha256s, isUnverified(tx, now))
}

/** Those among the owner's uploads of these bytes that are in the bucket and being verified, by SHA-256. */
export async function findBeingVerified(
  tx: Reading,
  owner: Owner,
  sha256s: Iterable<string>,
): Promise<Map<string, UploadRow>> {
  const isVerifying = and(eq(tx.t.uploads.status, 'verifying'), hasLiveJob(tx))
  const rows = await findOwn(tx, owner, sha256s, isVerifying)
  return new Map(rows.map((row) => [row.sha256, row]))
}
