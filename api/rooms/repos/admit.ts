import { repoTypePaths, type RepoTypePath } from '../../../shared/vocabulary.ts'
import type { RepoAction } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { repoTypeOf } from './address.ts'
import { requireRepo } from './find.ts'

/** Admits callers who may do `action` to the repo that the path parameters `type`, `ns` and `name` address. */
export const admitToRepo =
  (action: RepoAction) =>
  async (ctx: Ctx, { type = '', ns = '', name = '' }: Record<string, string>): Promise<void> => {
    if (!(repoTypePaths as readonly string[]).includes(type)) throw new Problem('not-found')
    await requireRepo(ctx, { type: repoTypeOf(type as RepoTypePath), ns, name }, action)
  }
