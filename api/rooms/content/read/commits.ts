import type { Ctx } from '../../../core/ctx.ts'
import { readPage } from '../../../stores/db/index.ts'
import { listCommits as listHistory, type CommitRecord } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { openRevision } from './revision.ts'

/** Where a page of a history begins: behind the commit `after` in the history of `head`. */
export interface CommitsPosition {
  head: string
  after: string
}

export interface CommitsQuery {
  /** The default branch when left out. */
  revision?: string | undefined
  /** Only commits that change this file, or something in this folder. */
  path?: string | undefined
  /** Where the page begins, which goes before `revision`. */
  from?: CommitsPosition | undefined
  /** How many to pass over: a jump to a page by its number. */
  offset?: number | undefined
  limit: number
}

export interface CommitsPage {
  /** The commit that the revision names. */
  head: string
  commits: CommitRecord[]
  /** Of the whole history, whichever page this is. */
  total: number
  next?: CommitsPosition
  /** Commits of a mirror whose parents were left at its upstream. */
  boundary: ReadonlySet<string>
}

/** First-parent history, newest first. Problems: `revision-not-found`; `invalid-cursor` for a history that was rewritten. */
export async function listCommits(ctx: Ctx, address: RepoAddress, query: CommitsQuery): Promise<CommitsPage> {
  const { revision, path, from, offset = 0, limit } = query
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { snapshot, commit: head } = await openRevision(ctx, repo.id, from?.head ?? revision)
  let total = 0
  const { items: commits, ...next } = await readPage(
    limit,
    async (count) => {
      const history = await listHistory(ctx.git, snapshot, {
        sha: head,
        offset,
        limit: count,
        ...(from ? { after: from.after } : {}),
        ...(path ? { path } : {}),
      })
      if (!history) throw new Problem('invalid-cursor', { detail: 'Start the list again without a cursor.' })
      total = history.total
      return history.commits
    },
    ({ sha }) => ({ head, after: sha }),
  )
  return { head, commits, total, boundary: snapshot.shallow, ...next }
}
