import { queryOptions } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'

export type Overview = Operations['getAdminOverview']['result']

export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => api.getAdminOverview({}, { signal }),
})
