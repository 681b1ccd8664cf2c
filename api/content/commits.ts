import type { Ctx } from '../ctx.ts'
import { listCommits as listHistory, type CommitRecord } from '../git/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { openRevision } from './revision.ts'

export interface CommitsQuery {
  /** The default branch when left out. */
  revision?: string
  /** Only Commits that change this file, or something in this folder. */
  path?: string
  /** How many to pass over: stable, since the history of a commit never changes. */
  offset?: number
  limit: number
}

export interface CommitsPage {
  /** The commit the revision names; ask by it for the pages after the first. */
  head: string
  commits: CommitRecord[]
  total: number
}

/** First-parent history, newest first. Problem `revision-not-found`. */
export async function listCommits(ctx: Ctx, address: RepoAddress, query: CommitsQuery): Promise<CommitsPage> {
  const { revision, path, offset = 0, limit } = query
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, commit } = await openRevision(ctx, repo.id, revision)
  const history = await listHistory(ctx.git, snapshot, {
    sha: commit,
    offset,
    limit,
    ...(path ? { path } : {}),
  })
  return { head: commit, ...history }
}
