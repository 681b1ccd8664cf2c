import type { UserActor } from '../../core/access/index.ts'
import { actorOfSigner } from '../auth/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireRepoById } from '../repos/index.ts'
import type { WriteToken } from './write-token.ts'

/** Who sends chunks, checked. */
export interface ChunkWriter {
  userId: string
  repoId: string
}

/**
 * Whose chunks these are: the user of a write token, while the access token or session behind it stands, the user is
 * active and may still write to the repo, or read it for a pull request. Problems: `bad-credentials`, `token-expired`,
 * `forbidden`, which is the same for a deleted repo and a hidden one.
 */
export async function requireWriter(
  ctx: Ctx,
  token: WriteToken,
): Promise<{ writer: ChunkWriter; actor: UserActor }> {
  const { userId, repoId, isPull } = token
  const actor = await actorOfSigner(ctx, token)
  try {
    await requireRepoById({ ...ctx, actor }, repoId, isPull ? 'repo.open-pull-request' : 'repo.commit')
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.status >= 500) throw cause
    throw new Problem('forbidden', { detail: 'You may no longer upload to this repo.', cause })
  }
  return { writer: { userId, repoId }, actor }
}
