import { requireUser } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { validatePath } from '../../core/git/index.ts'
import { findUsable, touch } from '../../core/lfs/index.ts'
import { invalidField } from '../../platform/problems/index.ts'
import {
  requirePendingQuota,
  requireRepo,
  requireQuota,
  type Repo,
  type RepoAddress,
} from '../repos/index.ts'
import { beginMultiparts, bucketUrls, sendsToBucket } from './bucket/bucket-uploads.ts'
import { findMissing, objectKey, openUploads } from './open-uploads.ts'
import type { UploadRow } from './queries.ts'
import { verifyJoined } from './complete/start-verification.ts'

/** A file about to be committed. */
export interface PlanFile {
  path: string
  sizeBytes: number
  sha256: string
  /** Large, or marked `filter=lfs`: its bytes are an LFS object. */
  isLfs: boolean
}

/** What to do with each file, in the order asked; `urls` are those of its parts in the bucket, where it is sent there. */
export type FilePlan = { path: string } & (
  | { mode: 'inline' }
  | { mode: 'skip' }
  | { mode: 'upload'; upload: UploadRow; urls?: string[] | undefined }
)

/** Whether `revision` names a pull request. */
export const isPullRef = (revision: string): boolean => /^refs\/pr\/\d+$/.test(revision)

/** The repo for uploads: towards a pull request reading is enough (native-api.md §3). */
export function requireUploadTarget(ctx: Ctx, address: RepoAddress, isPull: boolean): Promise<Repo> {
  return requireRepo(ctx, address, isPull ? 'repo.open-pull-request' : 'repo.commit')
}

/**
 * Plans files: small ones go inline with the commit, large ones are skipped when the caller may use the object already,
 * else uploaded. What they have sent and is being verified is skipped too, since a commit waits for it. An object that
 * others have and the caller may not use is planned as if it were absent. Problem `quota-exceeded`.
 */
export async function planUploads(ctx: Ctx, repo: Repo, files: PlanFile[]): Promise<FilePlan[]> {
  const userId = requireUser(ctx.actor).id
  checkPaths(files)
  const large = files.filter(isObject)
  if (large.length === 0) return files.map(({ path }) => ({ path, mode: 'inline' }))
  const usable = await findUsable(
    ctx.db,
    ctx,
    large.map((file) => file.sha256),
  )
  refuseOtherSizes(files, usable)
  await requireQuota(ctx, repo.id, { objects: large })
  const owner = { repoId: repo.id, userId }
  const isDirect = sendsToBucket(ctx)
  if (isDirect) await verifyJoined(ctx, owner, large)
  const opened = await ctx.db.write(async (tx) => {
    const there = await touch(tx, usable.keys(), ctx.now())
    const opened = await openUploads(tx, ctx, owner, await findMissing(tx, owner, large, there), { isDirect })
    if (opened.size > 0) await requirePendingQuota(ctx, tx, owner)
    return opened
  })
  const uploads = await beginMultiparts(ctx, opened)
  const urls = await bucketUrls(ctx, uploads)
  return files.map((file): FilePlan => {
    if (!isObject(file)) return { path: file.path, mode: 'inline' }
    const upload = uploads.get(objectKey(file))
    if (!upload) return { path: file.path, mode: 'skip' }
    return { path: file.path, mode: 'upload', upload, urls: urls.get(objectKey(file)) }
  })
}

const isObject = (file: PlanFile) => file.isLfs && file.sizeBytes > 0

function checkPaths(files: PlanFile[]): void {
  for (const [i, { path }] of files.entries()) {
    const fault = validatePath(path)
    if (fault) throw invalidField(`files.${i}.path`, fault.message, fault.code)
  }
}

function refuseOtherSizes(files: PlanFile[], usable: ReadonlyMap<string, { size: number }>): void {
  for (const [i, file] of files.entries()) {
    const size = isObject(file) ? usable.get(file.sha256)?.size : undefined
    if (size !== undefined && size !== file.sizeBytes)
      throw invalidField(`files.${i}.size`, `the object with this SHA-256 has ${size} bytes`, 'size-mismatch')
  }
}
