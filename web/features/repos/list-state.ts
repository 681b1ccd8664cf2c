import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { useQueryState } from '../../lib/query-state.ts'
import type { RepoFilter } from './queries.ts'

export const sortLabels = {
  updated: 'Recently updated',
  trending: 'Trending',
  downloads: 'Downloads',
  likes: 'Likes',
  size: 'Size',
  name: 'Name',
} as const satisfies Record<NonNullable<RepoFilter['sort']>, string>

const sorts = Object.keys(sortLabels) as (keyof typeof sortLabels)[]
export const facetNames = ['task', 'library', 'licence'] as const
export type FacetName = (typeof facetNames)[number]

/** Search, order and facets of a list, kept in the address so that a link shows the same list. */
export function useListState(type: RepoTypePath) {
  const [search, set] = useQueryState()
  const q = search.get('q') ?? ''
  const sort = sorts.find((value) => value === search.get('sort')) ?? 'updated'
  const chosen = facetNames.flatMap((name) => {
    const value = search.get(name)
    return value ? [[name, value] as const] : []
  })
  const filter: RepoFilter = { type, sort, ...(q ? { q } : {}), ...Object.fromEntries(chosen) }
  return { q, sort, filter, facets: new Map<FacetName, string>(chosen), set }
}
