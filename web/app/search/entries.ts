import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { pages } from '../../lib/pages.ts'
import { recentRepos } from '../../lib/recent-repos.ts'
import { useMe } from '../../lib/session.ts'

export type EntryKind = 'model' | 'dataset' | 'person' | 'organisation' | 'collection' | 'page' | 'all'

/** One place that a search leads to. */
export interface Entry {
  to: string
  label: string
  note?: string | undefined
  kind: EntryKind
}

export interface EntryGroup {
  label: string
  entries: Entry[]
}

const shownOfEach = 5

type Found = Operations['search']['result']

function groupsOf({ repos, namespaces, collections }: Found): EntryGroup[] {
  const group = (label: string, entries: Entry[]): EntryGroup => ({
    label,
    entries: entries.slice(0, shownOfEach),
  })
  const reposOf = (type: 'model' | 'dataset') =>
    repos
      .filter((repo) => repo.type === type)
      .map((repo): Entry => ({
        to: pages.repo(repo),
        label: `${repo.ns}/${repo.name}`,
        note: repo.description,
        kind: type,
      }))
  const namespacesOf = (wanted: 'user' | 'org') =>
    namespaces
      .filter(({ kind }) => kind === wanted)
      .map(({ ns, display_name }): Entry => ({
        to: pages.namespace(ns),
        label: ns,
        note: display_name === ns ? undefined : display_name,
        kind: wanted === 'user' ? 'person' : 'organisation',
      }))
  return [
    group('Models', reposOf('model')),
    group('Datasets', reposOf('dataset')),
    group('People', namespacesOf('user')),
    group('Organisations', namespacesOf('org')),
    group(
      'Collections',
      collections.map((found) => ({
        to: pages.collection(found),
        label: found.title,
        note: found.ns,
        kind: 'collection',
      })),
    ),
  ]
}

/** The lists with the text as their search, and the search in cards. */
export const listsFor = (q: string): EntryGroup => ({
  label: 'Search in',
  entries:
    q === ''
      ? []
      : [
          { to: `/models?q=${encodeURIComponent(q)}`, label: `All models with “${q}”`, kind: 'all' },
          { to: `/datasets?q=${encodeURIComponent(q)}`, label: `All datasets with “${q}”`, kind: 'all' },
          { to: pages.search({ q }), label: `Search cards for “${q}”`, kind: 'all' },
        ],
})

/** What is found by a text, in groups; `isCurrent` says whether it is the answer to this very text. */
export function useFound(text: string): { groups: EntryGroup[]; isCurrent: boolean } {
  const q = text.trim().slice(0, 200)
  const [asked] = useDebouncedValue(q, 120)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => api.search({ query: { q: asked, limit: 15 } }, { signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  if (q === '') return { groups: [], isCurrent: true }
  return {
    groups: data ? groupsOf(data) : [],
    isCurrent: asked === q && data !== undefined && !isPlaceholderData,
  }
}

const places = [
  ['Home', '/', false],
  ['Models', '/models', false],
  ['Datasets', '/datasets', false],
  ['Collections', '/collections', false],
  ['New model', '/new?type=models', true],
  ['New dataset', '/new?type=datasets', true],
  ['New collection', '/collections/new', true],
  ['New organisation', '/orgs/new', true],
  ['Discover other hubs', '/discover', true],
  ['Jobs', '/jobs', true],
  ['Tokens', '/settings/tokens', true],
  ['Sessions', '/settings/sessions', true],
  ['Deleted repos', '/settings/deleted', true],
  ['Settings', '/settings', true],
  ['API reference', '/docs/api', false],
  ['Compatibility', '/docs/compatibility', false],
] as const

/** The repos seen last, while nothing is typed. */
export function recentGroup(text: string): EntryGroup {
  const entries = text.trim() === '' ? recentRepos() : []
  return {
    label: 'Recent repos',
    entries: entries.map((repo) => ({
      to: pages.repo(repo),
      label: `${repo.ns}/${repo.name}`,
      kind: repo.type.startsWith('dataset') ? 'dataset' : 'model',
    })),
  }
}

/** Pages and what can be begun, by a part of their names. */
export function useActions(text: string): EntryGroup {
  const me = useMe()
  const word = text.trim().toLowerCase()
  const own = me ? [['Profile', pages.namespace(me.username), true] as const] : []
  const admin = me?.is_admin ? [['Administration', '/admin', true] as const] : []
  const all = [...places, ...own, ...admin]
  return {
    label: 'Pages and actions',
    entries: all
      .filter(([label, , needsMe]) => (me || !needsMe) && label.toLowerCase().includes(word))
      .map(([label, to]) => ({ label, to, kind: 'page' })),
  }
}
