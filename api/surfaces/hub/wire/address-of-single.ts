import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { RepoMoved, requireRepo, type RepoAddress } from '../../../rooms/repos/index.ts'

/**
 * The address of a repo with a single name: in `hubapi.default_namespace` where the caller sees it there, else what an
 * upstream knows by that name. `undefined` where neither has it and no namespace stands for none.
 */
export async function addressOfSingle(
  ctx: Ctx,
  type: RepoAddress['type'],
  name: string,
): Promise<RepoAddress | undefined> {
  const ns = ctx.config.hubapi.default_namespace
  const own = ns === '' ? undefined : { type, ns, name }
  if (!ctx.pullThrough || (own && (await isSeen(ctx, own)))) return own
  return (await ctx.pullThrough.single(ctx.actor, type, name)) ?? own
}

/** What is hidden counts as absent. */
async function isSeen({ pullThrough: _, ...ctx }: Ctx, address: RepoAddress): Promise<boolean> {
  try {
    await requireRepo(ctx, address, 'repo.read')
    return true
  } catch (error) {
    if (error instanceof RepoMoved) return true
    if (error instanceof Problem) return !['repo-not-found', 'unauthenticated'].includes(error.code)
    throw error
  }
}
