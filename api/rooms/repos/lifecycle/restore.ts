import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { UniqueViolation } from '../../../stores/db/index.ts'
import { publish } from '../../../core/events/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { addressKey, nameTaken, type RepoAddress } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { requireRepoToChange } from '../find.ts'
import { endRedirect, findById, holderOf, setRepo, type Repo } from '../queries.ts'
import { lockNamespaceFor } from './namespace-for.ts'

/** Until when a deleted repo can be restored. */
export const restoreUntil = ({ config }: Pick<Ctx, 'config'>, deletedAt: Date): Date =>
  new Date(deletedAt.getTime() + config.repos.restore_window)

/**
 * Restores the repo that was deleted from this address last. Needs the right to create repos there too, since a taken
 * name is revealed. Problems: `repo-not-found`, `forbidden`, `name-taken`, and `state-conflict` when it is not deleted or
 * can no longer be restored.
 */
export async function restoreRepo(ctx: Ctx, address: RepoAddress): Promise<Repo> {
  try {
    return await ctx.db.write(async (tx) => {
      const repo = await requireRepoToChange(tx, ctx, address, 'repo.restore')
      const { deletedAt, purgingAt, type, namespaceId, name } = repo
      if (!deletedAt) throw new Problem('state-conflict', { detail: 'The repo is not deleted.' })
      if (purgingAt || restoreUntil(ctx, deletedAt) <= ctx.now())
        throw new Problem('state-conflict', { detail: 'The time in which it could be restored is over.' })
      await lockNamespaceFor(ctx, tx, repo.ns, 'namespace.create-repo')
      const holder = await holderOf(tx, { type, namespaceId, name })
      if (holder) throw nameTaken('name', holder)
      await endRedirect(tx, repo)
      const address_key = addressKey(type, namespaceId, name)
      await setRepo(tx, repo.id, { deleted_at: null, address_key, updated_at: ctx.now() })
      await auditRepo(tx, ctx, 'repo.restore', repo)
      await publish(tx, ctx, { repoId: repo.id, event: 'repo', action: 'create' })
      return (await findById(tx, repo.id, actorId(ctx.actor) ?? '')) ?? repo
    })
  } catch (error) {
    if (error instanceof UniqueViolation)
      throw new Problem('name-taken', { detail: 'The name has just been taken.' })
    throw error
  }
}
