import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'

export type Overview = Operations['getAdminOverview']['result']

export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => api.getAdminOverview({}, { signal }),
})

export type Quota = Operations['updateQuota']['result']

export const quotasQuery = pagedQuery(['admin', 'quotas'], (at, signal) =>
  api.listQuotas({ query: at }, { signal }),
)

export function useUpdateQuota() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['updateQuota']['args']['body']) => api.updateQuota({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: quotasQuery.queryKey }),
  })
}
