import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { ownNames } from './bookmarks.ts'
import type { RepoFilter } from './queries.ts'

export const sortLabels = {
  updated: 'Recently updated',
  created: 'Recently created',
  trending: 'Trending',
  downloads: 'Downloads',
  likes: 'Likes',
  size: 'Size',
  name: 'Name',
} as const satisfies Record<NonNullable<RepoFilter['sort']>, string>

const sorts = Object.keys(sortLabels) as (keyof typeof sortLabels)[]
export const facetNames = ['task', 'library', 'licence'] as const
export type FacetName = (typeof facetNames)[number]

/** Further filters that an address may ask for; the page shows them, to be taken away. */
export const extraLabels = {
  ns: 'Owner',
  language: 'Language',
  size_category: 'Size',
  tag: 'Tag',
} as const satisfies Partial<Record<keyof RepoFilter, string>>
export type ExtraName = keyof typeof extraLabels
const extraNames = Object.keys(extraLabels) as ExtraName[]

/** Search, order and filters of a list, kept in the address so that a link shows the same list. */
export function useListState(type: RepoTypePath) {
  const [search, set] = useQueryState(ownNames)
  const q = search.get('q') ?? ''
  const sort = sorts.find((value) => value === search.get('sort')) ?? 'updated'
  const chosenOf = <N extends string>(names: readonly N[]) =>
    names.flatMap((name) => {
      const value = search.get(name)
      return value ? [[name, value] as const] : []
    })
  const chosen = chosenOf(facetNames)
  const extras = chosenOf(extraNames)
  const filter: RepoFilter = {
    type,
    sort,
    ...(q ? { q } : {}),
    ...Object.fromEntries([...chosen, ...extras]),
  }
  return { q, sort, filter, facets: new Map<FacetName, string>(chosen), extras, set }
}
