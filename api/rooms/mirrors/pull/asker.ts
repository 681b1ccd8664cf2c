import { anonymous } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { actorOfSigner } from '../../auth/index.ts'

/**
 * A job's context in the name of the person who asked for it, with the rights they have now; without one, of an anonymous
 * caller. Problem `forbidden` when the account is disabled or gone.
 */
export async function contextOf(ctx: Ctx, userId: string | null): Promise<Ctx> {
  if (userId === null) return { ...ctx, actor: anonymous }
  const actor = await actorOfSigner(ctx, { userId }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw new Problem('forbidden', { detail: 'The account that asked for this is disabled or gone.' })
  })
  return { ...ctx, actor }
}
