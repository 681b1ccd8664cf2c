import type { Ctx } from '../ctx.ts'
import { Problem } from '../problems/index.ts'
import { RepoMoved, requireRepo, type Repo, type RepoAddress } from '../repos/index.ts'

/** The Repo at an address, also at a former one, for a caller who may read it. Problem `repo-not-found`. */
export async function requireRepoAt(ctx: Ctx, address: RepoAddress): Promise<Repo> {
  try {
    return await requireRepo(ctx, address, 'repo.read')
  } catch (error) {
    if (!(error instanceof RepoMoved)) throw error
    return requireRepo(ctx, error.to, 'repo.read')
  }
}

/** As `requireRepoAt`; `undefined` for what is hidden as for what is not there. */
export async function findRepoAt(ctx: Ctx, address: RepoAddress): Promise<Repo | undefined> {
  try {
    return await requireRepoAt(ctx, address)
  } catch (error) {
    if (error instanceof Problem && error.code === 'repo-not-found') return undefined
    throw error
  }
}
