import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'

export type PullCreate = Operations['createPull']['args']['body']

export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams'],
  queryFn: ({ signal }) => api.listUpstreams({}, { signal }),
})

export function useCreatePull() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: PullCreate) => api.createPull({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
}
