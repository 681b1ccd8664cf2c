import { Problem } from '../../../platform/problems/index.ts'
import type { ListSort, Range, Repo, RepoFilters } from '../../../rooms/repos/index.ts'
import { facetsOfApps } from './apps.ts'
import { expandOf } from './info.ts'
import { listKeys, type InfoKeys } from './info-fields.ts'
import { bounded, flagOf, listOf } from '../wire/params.ts'

// Names of orders by client and year.
const sorts: Record<string, ListSort> = {
  lastModified: 'updated',
  last_modified: 'updated',
  createdAt: 'created',
  created_at: 'created',
  downloads: 'downloads',
  likes: 'likes',
  likes30d: 'likes',
  trendingScore: 'trending',
  trending_score: 'trending',
  num_parameters: 'parameters',
  mainSize: 'size',
  main_size: 'size',
  id: 'name',
}

/** The order of a list, `trendingScore` unless another is asked for. */
export function sortOf(query: URLSearchParams): ListSort {
  const asked = query.get('sort') ?? 'trendingScore'
  const sort = Object.hasOwn(sorts, asked) ? sorts[asked] : undefined
  if (sort) return sort
  throw new Problem('invalid-request', {
    detail: `"sort" must be one of [${Object.keys(sorts).join(', ')}]`,
  })
}

/** A tag and how its kind of repo has it: languages stand bare with models and prefixed with datasets. */
function spellings(word: string, type: Repo['type']): string[] {
  const prefix = 'language:'
  if (word.startsWith(prefix)) return [word, word.slice(prefix.length)]
  return type === 'model' || word.includes(':') ? [word] : [word, prefix + word]
}

function tagsOf(query: URLSearchParams, type: Repo['type']): string[][] {
  const asked = [...listOf(query, 'filter'), ...listOf(query, 'tags'), ...listOf(query, 'library')]
  const words = asked.flatMap((value) => value.split(',')).filter((word) => word !== '')
  return bounded('filter', [...new Set(words)]).map((word) => spellings(word, type))
}

/** What a list is narrowed to: all conditions must hold. Nothing where none can match. */
export function filtersOf(query: URLSearchParams, type: Repo['type']): RepoFilters | undefined {
  const gated = query.get('gated')
  const [author] = listOf(query, 'author')
  const tasks = bounded('pipeline_tag', listOf(query, 'pipeline_tag'))
  const parameters = parametersOf(query)
  const apps = facetsOfApps(bounded('apps', listOf(query, 'apps')))
  // No model is run by this server.
  const isElsewhere = ['inference', 'inference_provider'].some((key) => listOf(query, key).length > 0)
  if (!apps || isElsewhere) return undefined
  const wanted = tasks.length === 0 ? apps.task : (apps.task?.filter((task) => tasks.includes(task)) ?? tasks)
  if (wanted?.length === 0) return undefined
  return {
    type,
    idContains: bounded('search', listOf(query, 'search')),
    tags: tagsOf(query, type),
    facets: { ...apps, task: wanted },
    ...(parameters ? { parameters } : {}),
    ...(author === undefined ? {} : { ns: author }),
    ...(gated === null ? {} : { isGated: flagOf(gated) }),
  }
}

const parameterRange = /^(?:min:(\d+(?:\.\d+)?)([KMBT]?))?,?(?:max:(\d+(?:\.\d+)?)([KMBT]?))?$/i
const factors: Record<string, number> = { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 }

/** `num_parameters` as clients write it: `min:6B,max:128B`. */
function parametersOf(query: URLSearchParams): Range | undefined {
  const text = query.get('num_parameters')
  if (text === null || text === '') return undefined
  const found = parameterRange.exec(text)
  if (!found)
    throw new Problem('invalid-request', {
      detail: '"num_parameters" is written as min:6B, max:128B or min:6B,max:128B',
    })
  const [, min, minUnit = '', max, maxUnit = ''] = found
  const number = (digits: string | undefined, unit: string) =>
    digits === undefined ? undefined : Math.round(Number(digits) * (factors[unit.toUpperCase()] ?? 1))
  return { min: number(min, minUnit), max: number(max, maxUnit) }
}

/** Keys of a list's lines: what `expand` names, or the least and what the switches add. */
export function lineKeysOf(query: URLSearchParams, type: Repo['type']): InfoKeys {
  const expand = expandOf(query, type)
  if (expand.length > 0) return { keys: expand, isExpanded: true }
  const isOn = (key: string) => flagOf(query.get(key))
  const keys = [
    ...listKeys,
    ...(isOn('full') || isOn('blobs') ? ['sha', 'siblings'] : []),
    ...(isOn('full') || isOn('cardData') ? ['cardData'] : []),
    ...(isOn('config') ? ['config'] : []),
    ...(isOn('securityStatus') ? ['securityRepoStatus'] : []),
    ...(type === 'dataset' ? ['description'] : []),
  ]
  return { keys, isExpanded: false }
}
