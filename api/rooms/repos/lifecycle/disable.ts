import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { auditRepo } from '../audit.ts'
import { findById, lockRepo, setRepo, type Repo } from '../queries.ts'

/** Whether a repo's content is kept back, and why. */
export interface Disabling {
  disabled: boolean
  reason?: string | undefined
}

/**
 * Keeps the content of a repo back, or gives it out again. It stays listed and described, its owner may delete it, and
 * only instance admins read or add a file. Problems: `unauthenticated`, `forbidden`, `insufficient-scope`,
 * `repo-not-found`.
 */
export async function disableRepo(ctx: Ctx, id: string, { disabled, reason }: Disabling): Promise<Repo> {
  const admin = requireInstanceAdmin(ctx.actor)
  return ctx.db.write(async (tx) => {
    await lockRepo(tx, id)
    const repo = await findById(tx, id, admin.id)
    if (!repo || repo.purgingAt) throw new Problem('repo-not-found')
    const before = { disabled: repo.isDisabled, reason: repo.disabledReason }
    const after = { disabled, reason: disabled ? (reason ?? null) : null }
    if (before.disabled === after.disabled && before.reason === after.reason) return repo
    const disabled_at = disabled ? (repo.disabledAt ?? ctx.now()) : null
    await setRepo(tx, id, { disabled_at, disabled_reason: after.reason })
    await auditRepo(tx, ctx, disabled ? 'repo.disable' : 'repo.enable', repo, { before, after })
    return (await findById(tx, id, admin.id)) ?? repo
  })
}
