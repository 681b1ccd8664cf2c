import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import type { Repo } from '../../../lib/types.ts'

/** The tasks, libraries and licences that cards name. */
export const vocabularyQuery = queryOptions({
  queryKey: ['card-vocabulary'],
  staleTime: Infinity,
  queryFn: ({ signal }) => api.getCardVocabulary({}, { signal }),
})

/** What is wrong with the metadata of a card. */
export const cardCheckQuery = (type: Repo['type'], text: string) =>
  queryOptions({
    queryKey: ['card-check', type, text],
    staleTime: Infinity,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.checkCard({ body: { type, text } }, { signal }),
  })

/** Repos of this server whose names go on like what is typed. */
export const namesQuery = (type: 'models' | 'datasets', typed: string) =>
  queryOptions({
    queryKey: ['card-names', type, typed],
    enabled: typed.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { items } = await api.listRepos({ query: { type, q: typed, limit: 10 } }, { signal })
      return items.map(({ full_name }) => full_name)
    },
  })
