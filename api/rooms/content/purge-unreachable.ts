import type { Ctx } from '../../core/ctx.ts'
import { gitPurge } from '../../core/git/index.ts'
import { enqueue, type JobRow } from '../../core/jobs/index.ts'
import { auditRepo, requireRepoToChange, type RepoAddress } from '../repos/index.ts'

/**
 * Queues the job that drops at once what no ref of a repo leads to any more, or answers the one that waits for its turn. For
 * admins of the repo. Problems `repo-not-found`, `forbidden`.
 */
export async function purgeUnreachable(ctx: Ctx, address: RepoAddress): Promise<JobRow> {
  return ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.delete')
    await auditRepo(tx, ctx, 'repo.purge-unreachable', repo)
    return enqueue(tx, ctx, gitPurge, { repo_id: repo.id }, { dedupKey: repo.id, repoId: repo.id })
  })
}
