import type { DiscoverSort, RepoType } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import { requireReadable } from '../mirrors/index.ts'
import { typePathOf } from '../repos/index.ts'
import { jsonOf, nextPath, unavailable } from '../upstreams/index.ts'
import { statesOf, type ArsenalState } from './arsenal-state.ts'
import { look, lookerAt } from './ask.ts'
import { FoundList, readFound, type FoundRepo } from './found.ts'

/** What to look for at an upstream. */
export interface DiscoverQuery {
  upstream: string
  search?: string | undefined
  author?: string | undefined
  filter?: string[] | undefined
  sort: DiscoverSort
  limit: number
}

/** A page of what an upstream has. */
export interface DiscoverPage {
  items: (FoundRepo & { arsenal: ArsenalState })[]
  /** Where the next page is at the upstream. */
  next?: string
}

const sorts = {
  trending: 'trendingScore',
  downloads: 'downloads',
  likes: 'likes',
  lastModified: 'lastModified',
}

/**
 * Searches the repos of an upstream, and says of each how it stands here. Problems: `not-found` for the upstream,
 * `upstream-unavailable`, `upstream-throttled`.
 */
export async function listDiscovered(
  ctx: Ctx,
  type: RepoType,
  query: DiscoverQuery,
  after: string | undefined,
): Promise<DiscoverPage> {
  const looker = await lookerAt(ctx, query.upstream)
  const { upstream } = looker
  const answer = await look(ctx, looker, after ?? firstPath(type, query))
  requireReadable(looker, answer, 'list of repos')
  const parsed = FoundList.safeParse(jsonOf(looker, answer))
  if (!parsed.success) throw unavailable(upstream, new Error('Its answer is not a list of repos.'))
  const found = parsed.data.flatMap((entry) => readFound(type, entry) ?? [])
  const names = found.map(({ ns, name }) => ({ type, name: `${ns}/${name}` }))
  const stateOf = await statesOf(ctx, upstream.id, names)
  const next = nextPath(answer.headers['link'], upstream.baseUrl)
  return {
    items: found.map((repo) => ({ ...repo, arsenal: stateOf(type, `${repo.ns}/${repo.name}`) })),
    ...(next === undefined ? {} : { next }),
  }
}

function firstPath(type: RepoType, { search, author, filter = [], sort, limit }: DiscoverQuery): string {
  const query = new URLSearchParams({
    sort: sorts[sort],
    direction: '-1',
    limit: String(limit),
    full: 'true',
  })
  if (search) query.set('search', search)
  if (author) query.set('author', author)
  for (const value of filter) query.append('filter', value)
  return `/api/${typePathOf(type)}?${query}`
}
