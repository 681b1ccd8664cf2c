import type { Ctx } from '../../../core/ctx.ts'
import { queuePull } from '../pull/ticket.ts'
import type { FarFile } from './file.ts'

/** Has a job fetch the rest of a file whose readers have left. */
export async function queueRest(
  ctx: Ctx,
  { read, commit, path }: FarFile,
  userId: string | null,
): Promise<void> {
  const { mirror, repo } = read
  const { repo_id } = mirror
  const input = {
    upstream: mirror.upstream,
    type: repo.type,
    name: repo.name,
    revision: commit,
    selection: { include: [literally(path)] },
    tracking: mirror.tracking,
    history: mirror.history,
    user_id: userId,
    dependencies: { code: false, base_models: false },
    depth: 0,
    of: { repo_id, commit },
  }
  await ctx.db.write((tx) => queuePull(tx, ctx, input, { repoId: repo_id }))
}

/** A glob that matches this path alone. */
const literally = (path: string) => path.replace(/[*?[]/g, '[$&]')
