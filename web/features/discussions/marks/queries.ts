import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { useMutation } from '../../../lib/mutation.ts'
import { keyOf } from '../../../lib/repo-queries.ts'
import type { RepoAddress } from '../../../lib/types.ts'
import { listsKey, unlessRefused } from '../queries.ts'

export type NewLabel = NonNullable<Operations['createLabel']['args']['body']>

/** The labels of a repo, by name. */
export const labelsQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: [...keyOf(address), 'labels'],
    queryFn: ({ signal }) => api.listLabels({ params: address }, { signal }),
  })

/** A change of a label, which shows wherever it is. */
function useLabelChange<T, R>(address: RepoAddress, mutationFn: (input: T) => Promise<R>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: (_done, error) => {
      const asked = Promise.all([
        cache.invalidateQueries({ queryKey: labelsQuery(address).queryKey }),
        cache.invalidateQueries({ queryKey: listsKey(address) }),
        cache.invalidateQueries({ queryKey: [...keyOf(address), 'discussion'] }),
      ])
      return unlessRefused(error, asked)
    },
  })
}

export const useCreateLabel = (address: RepoAddress) =>
  useLabelChange(address, (body: NewLabel) => api.createLabel({ params: address, body }))

export const useUpdateLabel = (address: RepoAddress, id: string) =>
  useLabelChange(address, (body: NewLabel) => api.updateLabel({ params: { ...address, id }, body }))

export const useDeleteLabel = (address: RepoAddress, id: string) =>
  useLabelChange(address, (_: void) => api.deleteLabel({ params: { ...address, id } }))
