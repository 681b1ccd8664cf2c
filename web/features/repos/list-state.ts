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

/** Ranges of a list: the parameters of the address that bound them, and the steps to choose from. */
export const ranges = {
  models: [
    {
      label: 'Parameters',
      min: 'params_min',
      max: 'params_max',
      unit: '',
      steps: [1e8, 5e8, 1e9, 3e9, 7e9, 1e10, 1.4e10, 3.4e10, 7e10, 1e11, 2e11, 5e11],
      // Models called 7B have 6.7 to 8 billion; the others vary alike.
      presets: [
        { label: '~1B', from: 5e8, to: 2e9 },
        { label: '~3B', from: 2e9, to: 5e9 },
        { label: '~7B', from: 6e9, to: 9e9 },
        { label: '~14B', from: 1e10, to: 2e10 },
        { label: '~30B', from: 2e10, to: 5e10 },
        { label: '~70B', from: 6e10, to: 9e10 },
      ],
    },
    {
      label: 'Context',
      min: 'context_min',
      unit: 'tokens',
      steps: [4096, 8192, 32_768, 131_072, 1_000_000],
    },
    {
      label: 'Size',
      max: 'size_max',
      unit: 'bytes',
      steps: [1e8, 5e8, 1e9, 5e9, 1e10, 2e10, 5e10, 1e11, 5e11],
      presets: [
        { label: '≤ 5 GB', to: 5e9 },
        { label: '≤ 20 GB', to: 2e10 },
        { label: '≤ 50 GB', to: 5e10 },
      ],
    },
  ],
  datasets: [
    {
      label: 'Rows',
      min: 'rows_min',
      max: 'rows_max',
      unit: '',
      steps: [1000, 10_000, 100_000, 1e6, 1e7, 1e8, 1e9],
    },
    { label: 'Size', max: 'size_max', unit: 'bytes', steps: [1e7, 1e8, 1e9, 1e10, 1e11, 1e12] },
  ],
} as const satisfies Record<RepoTypePath, readonly Range[]>
const boundNames = ['params_min', 'params_max', 'context_min', 'size_max', 'rows_min', 'rows_max'] as const
export type BoundName = (typeof boundNames)[number]
export interface Range {
  label: string
  min?: BoundName
  max?: BoundName
  unit: '' | 'tokens' | 'bytes'
  steps: readonly number[]
  /** Bounds that people often want, set by one press. */
  presets?: readonly Preset[]
}
export interface Preset {
  label: string
  from?: number
  to?: number
}

/** Further filters that an address may ask for; the page shows them, to be taken away. */
export const extraLabels = {
  ns: 'Owner',
  tag: 'Tag',
} as const satisfies Partial<Record<keyof RepoFilter, string>>
export type ExtraName = keyof typeof extraLabels
const extraNames = Object.keys(extraLabels) as ExtraName[]

/** Search, order and filters of a list, kept in the address so that a link shows the same list. */
export function useListState(type: RepoTypePath) {
  const [search, set, setAll] = useQueryState(ownNames)
  const q = search.get('q') ?? ''
  const sort = sorts.find((value) => value === search.get('sort')) ?? 'updated'
  const chosenOf = <N extends string>(names: readonly N[]) =>
    names.flatMap((name) => {
      const value = search.get(name)
      return value ? [[name, value] as const] : []
    })
  const chosen = chosenOf<FacetName>(facetNames[type])
  const known: readonly Range[] = ranges[type]
  const within = chosenOf(boundNames).filter(
    ([name, value]) => /^\d{1,15}$/.test(value) && known.some(({ min, max }) => name === min || name === max),
  )
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
    setAll,
  }
}
