import type { SQL } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { recordObject, reserveKeys } from '../../core/lfs/index.ts'
import type { Problem } from '../../platform/problems/index.ts'
import type { Tx } from '../../stores/db/index.ts'
import { arrivalKey, isDirect } from './bucket/bucket-uploads.ts'
import { isUnverified } from './bucket/queries.ts'
import { discardArrived } from './expire/discard-arrived.ts'
import { uploadDeadline } from './open-uploads.ts'
import { findUpload, isCompletable, isHeldBy, setUpload, type UploadRow } from './queries.ts'

/*
 * The states of an upload and every way from one to another; README.md has them as a table. Each transition names the
 * condition under which it holds and answers `undefined` where another caller was faster.
 */

const COMPLETE = { status: 'complete', lease_until: null } as const

type Clocked = Pick<Ctx, 'config' | 'now'>

/** An upload that has ended, and the keys of its parts, which are listed for deletion. */
export interface Ended {
  upload: UploadRow
  partKeys: string[]
}

/**
 * How long joining may show no progress before another attempt may take over, in milliseconds: twice as long as a job,
 * which renews its lease while it waits. This one is renewed only while bytes move.
 */
export const joiningLeaseMs = ({ config }: Pick<Ctx, 'config'>): number => 2 * config.jobs.lease

const leaseFromNow = (ctx: Clocked) => new Date(ctx.now().getTime() + joiningLeaseMs(ctx))

/** `open`, or `joining` past its lease → `joining`, as a new attempt. */
export async function beginJoining(tx: Tx, ctx: Clocked, id: string): Promise<UploadRow | undefined> {
  const before = await findUpload(tx, id)
  if (!before) return undefined
  const set = {
    status: 'joining' as const,
    attempt: before.attempt + 1,
    lease_until: leaseFromNow(ctx),
  }
  return setUpload(tx, id, isCompletable(tx, ctx.now()), set)
}

/** `joining` → `joining`, with a longer lease. */
export function renewJoining(
  tx: Tx,
  ctx: Clocked,
  { id, attempt }: UploadRow,
): Promise<UploadRow | undefined> {
  return setUpload(tx, id, isHeldBy(tx, attempt), { lease_until: leaseFromNow(ctx) })
}

/** `joining` → `open`, after a failure that may pass. */
export function reopenUpload(tx: Tx, { id, attempt }: UploadRow): Promise<UploadRow | undefined> {
  return setUpload(tx, id, isHeldBy(tx, attempt), { status: 'open', lease_until: null })
}

/** `open`, or `verifying` by a job that has ended → `verifying` by `jobId`; only of bytes in the bucket. */
export function beginVerifying(
  tx: Tx,
  ctx: Clocked,
  id: string,
  jobId: string,
): Promise<UploadRow | undefined> {
  const set = { status: 'verifying' as const, job_id: jobId, expires_at: uploadDeadline(ctx) }
  return setUpload(tx, id, isUnverified(tx, ctx.now()), set)
}

/**
 * → `complete`, with what lies at `key` proven: records the object, grants it to the uploader, and lists everything else
 * of the upload for deletion. Joining and verifying both end here.
 */
export async function completeUpload(
  tx: Tx,
  ctx: Clocked,
  { id, key }: { id: string; key: string },
  isOurs: SQL | undefined,
): Promise<Ended | undefined> {
  const upload = await setUpload(tx, id, isOurs, COMPLETE)
  if (!upload) return undefined
  // Until now the upload's row has kept the bytes that stay where they arrived.
  if (isDirect(upload) && arrivalKey(upload) === key) await reserveKeys(tx, ctx, [key])
  const owner = { repoId: upload.repo_id, userId: upload.user_id }
  await recordObject(tx, ctx, { sha256: upload.sha256, sizeBytes: upload.size, key }, owner)
  return { upload, partKeys: await discardArrived(tx, ctx, upload, key) }
}

/** → `complete`, of an upload whose object the caller has recorded from other bytes; its own are deleted. */
export async function completeRow(
  tx: Tx,
  ctx: Clocked,
  id: string,
  isOurs: SQL | undefined,
): Promise<Ended | undefined> {
  const upload = await setUpload(tx, id, isOurs, COMPLETE)
  return upload && { upload, partKeys: await discardArrived(tx, ctx, upload) }
}

/** → `aborted`, for `problem` or for its age; lists the bytes for deletion. */
export async function abortUpload(
  tx: Tx,
  ctx: Clocked,
  id: string,
  isOurs: SQL | undefined,
  problem?: Problem,
): Promise<Ended | undefined> {
  const why = problem && { problem: { code: problem.code, message: problem.detail ?? problem.title } }
  const upload = await setUpload(tx, id, isOurs, { status: 'aborted', lease_until: null, ...why })
  return upload && { upload, partKeys: await discardArrived(tx, ctx, upload) }
}
