import { requireUser } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { validatePath } from '../git/index.ts'
import { findUsable, touch } from '../lfs/index.ts'
import { invalidField } from '../problems/index.ts'
import { requireRepo, type Repo, type RepoAddress } from '../repos/index.ts'
import { objectKey, openUploads } from './open-uploads.ts'
import type { UploadRow } from './queries.ts'

/** A file about to be committed. */
export interface PlanFile {
  path: string
  sizeBytes: number
  sha256: string
  /** Large, or marked `filter=lfs`: its bytes are an LFS object. */
  isLfs: boolean
}

/** What to do with each file, in the order asked. */
export type FilePlan = { path: string } & (
  { mode: 'inline' } | { mode: 'skip' } | { mode: 'upload'; upload: UploadRow }
)

/** Whether `revision` names a pull request. */
export const isPullRef = (revision: string): boolean => /^refs\/pr\/\d+$/.test(revision)

/** The Repo for uploads: towards a pull request reading is enough (native-api.md §3). */
export function requireUploadTarget(ctx: Ctx, address: RepoAddress, isPull: boolean): Promise<Repo> {
  return requireRepo(ctx, address, isPull ? 'repo.open-pull-request' : 'repo.commit')
}

/**
 * Plans files: small ones go inline with the Commit, large ones are skipped when the caller may use the object already,
 * else uploaded. An object that others have and the caller may not use is planned as if nobody had it.
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
  return ctx.db.write(async (tx) => {
    const there = await touch(tx, usable.keys(), ctx.now())
    const missing = large.filter((file) => !there.has(file.sha256))
    const uploads = await openUploads(tx, ctx, { repoId: repo.id, userId }, missing)
    return files.map((file): FilePlan => {
      if (!isObject(file)) return { path: file.path, mode: 'inline' }
      const upload = uploads.get(objectKey(file))
      return upload ? { path: file.path, mode: 'upload', upload } : { path: file.path, mode: 'skip' }
    })
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
