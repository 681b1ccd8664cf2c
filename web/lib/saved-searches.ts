import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../shared/client.ts'
import { api } from './api.ts'
import { useMutation } from './mutation.ts'

export type SavedSearch = Operations['listSavedSearches']['result']['items'][number]

/** Searches that the person has saved, of all lists; 100 at most. */
export const savedSearchesQuery = queryOptions({
  queryKey: ['account', 'searches'],
  queryFn: async ({ signal }) => (await api.listSavedSearches({}, { signal })).items,
})

/** The address of the list with these filters. */
export const addressOfSearch = ({ list, query }: Pick<SavedSearch, 'list' | 'query'>): string =>
  `/${list}${query && '?'}${query}`

function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => cache.invalidateQueries({ queryKey: savedSearchesQuery.queryKey }),
  })
}

export const useSaveSearch = () =>
  useChange((body: Operations['createSavedSearch']['args']['body']) => api.createSavedSearch({ body }))

export const useRenameSearch = () =>
  useChange(({ id, name }: { id: string; name: string }) =>
    api.updateSavedSearch({ params: { id }, body: { name } }),
  )

export const useDeleteSearch = () => useChange((id: string) => api.deleteSavedSearch({ params: { id } }))
