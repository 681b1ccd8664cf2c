import { requireFresh, requireInstanceAdmin } from '../../../core/access/index.ts'
import { putOut } from '../../auth/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { UniqueViolation } from '../../../stores/db/index.ts'
import type { JobEnded } from '../../../core/jobs/index.ts'
import {
  emailTaken,
  findUserById,
  lockNamespace,
  setDisabled,
  updateAccount,
  type AccountUpdate,
} from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

/** What admins change about a user; a field left out is unchanged. */
export interface AdminUserUpdate extends AccountUpdate {
  disabled?: boolean | undefined
}

/**
 * Changes a user, all of it or nothing. To disable takes effect at once: sessions, tokens, signed addresses, links, jobs.
 * To make or remove an admin needs a fresh sign-in: else a session left open can take the server from its admins. For instance
 * admins. Problems: `not-found`, `last-admin`, `email-taken`, `state-conflict`,
 * `fresh-sign-in-required`.
 */
export async function updateAdminUser(
  ctx: Ctx,
  id: string,
  { disabled, ...change }: AdminUserUpdate,
  whenEnded?: JobEnded,
): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  try {
    await ctx.db.write(async (tx) => {
      await lockNamespace(tx, id)
      const user = await findUserById(tx, id)
      if (!user) throw new Problem('not-found', { detail: 'There is no such user.' })
      if (change.is_admin !== undefined && change.is_admin !== user.is_admin)
        requireFresh(ctx.actor, ctx.now())
      await updateAccount(tx, ctx, user, change)
      if (disabled === true) await putOut(tx, ctx, user, whenEnded)
      if (disabled === false) await setDisabled(tx, ctx, user, false)
    })
  } catch (error) {
    throw error instanceof UniqueViolation ? emailTaken() : error
  }
}
