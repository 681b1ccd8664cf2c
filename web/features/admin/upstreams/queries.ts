import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { useMutation } from '../../../lib/mutation.ts'

export type Upstream = Operations['listAdminUpstreams']['result']['items'][number]
export type UpstreamCreate = Operations['createUpstream']['args']['body']
export type UpstreamUpdate = Operations['updateUpstream']['args']['body']

export const adminUpstreamsQuery = queryOptions({
  queryKey: ['admin', 'upstreams'],
  queryFn: ({ signal }) => api.listAdminUpstreams({}, { signal }),
})

/** A change of an upstream. Discover offers the enabled ones, and what it showed came from the former address. */
function useUpstreamChange<I, O>(mutationFn: (input: I) => Promise<O>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all(
        [adminUpstreamsQuery.queryKey, ['upstreams'], ['discover']].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

export const useCreateUpstream = () =>
  useUpstreamChange((body: UpstreamCreate) => api.createUpstream({ body }))

export const useUpdateUpstream = (id: string) =>
  useUpstreamChange((body: UpstreamUpdate) => api.updateUpstream({ params: { id }, body }))

export const useDeleteUpstream = (id: string) =>
  useUpstreamChange(() => api.deleteUpstream({ params: { id } }))

export const useCheckUpstream = (id: string) => useUpstreamChange(() => api.checkUpstream({ params: { id } }))
