import type { DiscussionStatus } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import {
  countDiscussions,
  listDiscussions as listRows,
  type Discussion,
  type DiscussionFilters,
} from './queries.ts'
import { requireForum } from './require.ts'

/** A stretch of a repo's discussions: behind the number `before`, or from the `offset`-th. */
export interface DiscussionsQuery extends DiscussionFilters {
  before?: number | undefined
  offset?: number
  limit: number
}

/** A page, newest first. `next` is the `before` of the next one. */
export interface DiscussionsPage {
  repo: Repo
  discussions: Discussion[]
  next?: number
}

/** Problem `discussions-disabled`. */
export async function listDiscussions(
  ctx: Ctx,
  address: RepoAddress,
  { before, offset = 0, limit, ...filters }: DiscussionsQuery,
): Promise<DiscussionsPage> {
  const repo = await requireForum(ctx, address, 'repo.read')
  const found = await listRows(ctx.db, repo.id, filters, { before, offset, limit: limit + 1 })
  const discussions = found.slice(0, limit)
  const last = discussions.at(-1)
  return { repo, discussions, ...(last && found.length > limit ? { next: last.num } : {}) }
}

/** How many match of each status. */
export async function countMatching(
  ctx: Ctx,
  repo: Repo,
  filters: DiscussionFilters,
): Promise<Record<DiscussionStatus, number>> {
  return countDiscussions(ctx.db, repo.id, filters)
}
