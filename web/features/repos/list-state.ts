import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { ownNames } from './bookmarks.ts'
import type { RepoFilter, RepoList } from './queries.ts'

export const sortLabels = {
  updated: 'Recently updated',
  created: 'Recently created',
  trending: 'Trending',
  downloads: 'Downloads',
  likes: 'Likes',
  size: 'Size',
  parameters: 'Parameters',
  name: 'Name',
} as const satisfies Record<NonNullable<RepoFilter['sort']>, string>

const sorts = Object.keys(sortLabels) as (keyof typeof sortLabels)[]

/** What a list is narrowed by beside it, in this order. */
export const facetNames = {
  models: ['task', 'library', 'format', 'quant', 'licence', 'language', 'modality', 'mirror'],
  datasets: ['task', 'format', 'modality', 'size_category', 'language', 'licence', 'library', 'mirror'],
} as const satisfies Record<RepoTypePath, (keyof RepoList['facets'])[]>
export type FacetName = (typeof facetNames)[RepoTypePath][number]

/** Bounds to choose from: the values of parameters of the address. */
export const bounds = {
  parameters: {
    label: 'Parameters',
    choices: [
      { label: '< 1B', params_max: '999999999' },
      { label: '1B – 10B', params_min: '1000000000', params_max: '10000000000' },
      { label: '10B – 100B', params_min: '10000000000', params_max: '100000000000' },
      { label: '> 100B', params_min: '100000000001' },
    ],
  },
  context: {
    label: 'Context',
    choices: [
      { label: '≥ 8K', context_min: '8192' },
      { label: '≥ 32K', context_min: '32768' },
      { label: '≥ 128K', context_min: '131072' },
      { label: '≥ 1M', context_min: '1000000' },
    ],
  },
} as const
const boundNames = ['params_min', 'params_max', 'context_min'] as const
export type BoundName = (typeof boundNames)[number]

/** Further filters that an address may ask for; the page shows them, to be taken away. */
export const extraLabels = {
  ns: 'Owner',
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
  const chosen = chosenOf<FacetName>(facetNames[type])
  const within = type === 'models' ? chosenOf(boundNames) : []
  const extras = chosenOf(extraNames)
  const filter: RepoFilter = {
    type,
    sort,
    ...(q ? { q } : {}),
    ...Object.fromEntries([...chosen, ...extras]),
    ...Object.fromEntries(within.map(([name, value]) => [name, Number(value)])),
  }
  return {
    q,
    sort,
    filter,
    facets: new Map<FacetName, string>(chosen),
    bounds: new Map<BoundName, string>(within),
    extras,
    set,
  }
}
