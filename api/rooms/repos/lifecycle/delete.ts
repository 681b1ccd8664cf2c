import type { Ctx } from '../../../core/ctx.ts'
import { publish } from '../../../core/events/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import type { RepoAddress } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { checkIfMatch, settingsEtag } from '../etag.ts'
import { requireRepoToChange } from '../find.ts'
import { repoPurge } from './purge.ts'
import { setRepo } from '../queries.ts'

/**
 * Deletes a repo softly: its name is free at once, its admins can restore it within `repos.restore_window`, then it is
 * purged. Problems: `repo-not-found`, `forbidden`, `precondition-failed`.
 */
export async function deleteRepo(ctx: Ctx, address: RepoAddress, ifMatch?: string): Promise<void> {
  await ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.delete')
    checkIfMatch(ifMatch, settingsEtag(repo))
    const now = ctx.now()
    await setRepo(tx, repo.id, { deleted_at: now, address_key: null })
    const input = { repo_id: repo.id, deleted_at: now.toISOString(), name: `${repo.ns}/${repo.name}` }
    const runAfter = new Date(now.getTime() + ctx.config.repos.restore_window)
    await enqueue(tx, ctx, repoPurge, input, {
      runAfter,
      repoId: repo.id,
      dedupKey: `${repo.id}/${input.deleted_at}`,
    })
    await auditRepo(tx, ctx, 'repo.delete', repo)
    await publish(tx, ctx, { repoId: repo.id, event: 'repo', action: 'delete' })
  })
}
