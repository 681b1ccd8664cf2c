import { requireUser } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { findUpload, type UploadRow } from './queries.ts'

/** The caller's own upload to this repo; anybody else's answers `not-found`, as an absent one does. */
export async function requireUpload(ctx: Ctx, address: RepoAddress, id: string): Promise<UploadRow> {
  const repo = await requireRepo(ctx, address, 'repo.open-pull-request')
  const user = requireUser(ctx.actor)
  const upload = await findUpload(ctx.db, id)
  if (upload?.repo_id !== repo.id || upload.user_id !== user.id)
    throw new Problem('not-found', { detail: 'You have no such upload to this repo. Begin it again.' })
  return upload
}
